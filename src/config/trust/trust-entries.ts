import {escapeInvisible} from '../../base/escape-invisible.ts';
import {describeItem, trustLine} from './describe-item.ts';
import type {ProjectTrust, TrustChange} from './evaluate-project.ts';
import {trustItemText, type TrustItem, type TrustKind} from './trust-item.ts';

/** One item that a person is asked to trust. All its texts are safe to show: invisible characters are escaped. */
export interface TrustEntry {
  /** One line. */
  readonly path: string;
  /** Absent in a project that was never asked about. */
  readonly change?: 'new' | 'changed' | 'gone' | undefined;
  /** Effects of the entry, one line each; empty if it no longer exists. */
  readonly does: readonly string[];
  /** The text that was trusted, if it was stored. */
  readonly before?: string | undefined;
  /** The current text; absent if it no longer exists. */
  readonly after?: string | undefined;
}

/**
 * Lists the items that a person is asked to trust: for a project that was trusted before, only entries removed,
 * new or changed since. Code that is run comes last, next to the question.
 */
export async function trustEntries(project: ProjectTrust): Promise<TrustEntry[]> {
  const {items, state, gone = []} = project;
  const goneEntries = gone.map(({path, text}): TrustEntry => ({path: trustLine(path), change: 'gone', does: [], before: textIn(text)}));
  const entries = isChange(project)
    ? project.changed.toSorted((a, b) => byKind(a.item, b.item)).map(changedEntry)
    : items.toSorted(byKind).map(entryOf);
  return [...(state === 'changed' ? goneEntries : []), ...(await Promise.all(entries))];
}

/** Returns true if only the differences are asked about; another folder of the same name is asked about as a whole. */
export function isChange({state, changed}: Pick<ProjectTrust, 'state' | 'changed'>): boolean {
  return state === 'changed' && changed.length > 0;
}

async function entryOf(item: TrustItem): Promise<TrustEntry> {
  return {path: trustLine(item.path), does: await describeItem(item), after: textIn(trustItemText(item))};
}

async function changedEntry({item, change, before}: TrustChange): Promise<TrustEntry> {
  const entry = await entryOf(item);
  if (before === undefined) return {...entry, change};
  const after = trustItemText(item);
  const differsInLineEndsAlone = before !== after && withoutCr(before) === withoutCr(after);
  if (!differsInLineEndsAlone) return {...entry, change, before: textIn(before)};
  return {...entry, change, before: escapeInvisible(before).text, after: escapeInvisible(after).text};
}

function textIn(text: string): string;
function textIn(text: string | undefined): string | undefined;
function textIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : escapeInvisible(withoutCr(text)).text;
}

function withoutCr(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function byKind(a: TrustItem, b: TrustItem): number {
  return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
}

const ORDER: readonly TrustKind[] = [
  'instructions',
  'rule',
  'import',
  'skill',
  'agent',
  'command',
  'config',
  'git',
  'mcp',
  'hook',
  'program',
  'tool',
  'middleware',
];
