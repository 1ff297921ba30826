import type {ChangedPiece, ToolEntry} from '../model/entry.ts';
import {pathOfCall, stringField, TOOL_KINDS, type Input} from './tool-kinds.ts';
import {parsed} from './tool-labels.ts';

export interface CallChanges {
  readonly pieces: readonly ChangedPiece[];
  /** Patches as the model wrote them. */
  readonly patches: readonly string[];
}

/** Returns the file changes of a call: as they were allowed, else as far as its arguments show them; empty for calls that change none. */
export function callChanges(entry: Pick<ToolEntry, 'tool' | 'arguments' | 'approved'>): CallChanges {
  if (entry.approved !== undefined) return {pieces: entry.approved, patches: []};
  return TOOL_KINDS.get(entry.tool)?.isChange === true ? changesIn(parsed(entry.arguments), '') : NONE;
}

const NONE: CallChanges = {pieces: [], patches: []};

function changesIn(input: Input, outer: string): CallChanges {
  const path = pathOfCall(input) || outer;
  const [before, after] = [anyText(input, OLD), anyText(input, NEW)];
  if (before !== undefined && after !== undefined) return {pieces: [{path, before, after}], patches: []};
  const {patches: list, edits, patch, content} = input;
  const several = Array.isArray(list) ? list : edits;
  if (Array.isArray(several)) return joined(several.map((one) => (isRecord(one) ? changesIn(one, path) : NONE)));
  if (typeof content === 'string') return {pieces: contentPieces(content, path), patches: []};
  const text = typeof patch === 'string' ? patch : stringField(input, 'semantic_patch');
  return text === '' ? NONE : {pieces: [], patches: [text]};
}

const OLD = ['old_string', 'old_text', 'old_content', 'old_str', 'oldText', 'old', 'search'];
const NEW = ['new_string', 'new_text', 'new_content', 'new_str', 'newText', 'new', 'replace'];

function anyText(input: Input, names: readonly string[]): string | undefined {
  const name = names.find((one) => typeof input[one] === 'string');
  return name === undefined ? undefined : String(input[name]);
}

/** SEARCH/REPLACE blocks (vibe tool system › Search Replace Tool), else the text of a whole file. */
function contentPieces(content: string, path: string): readonly ChangedPiece[] {
  const blocks = Array.from(content.matchAll(BLOCKS), ([, before = '', after = '']) => ({path, before, after}));
  return blocks.length > 0 ? blocks : [{path, before: '', after: content}];
}

const BLOCKS = /^<{5,9} SEARCH\n([^]*?)^={5,9}\n([^]*?)^>{5,9} REPLACE/gm;

function joined(all: readonly CallChanges[]): CallChanges {
  return {pieces: all.flatMap(({pieces}) => pieces), patches: all.flatMap(({patches}) => patches)};
}

function isRecord(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
