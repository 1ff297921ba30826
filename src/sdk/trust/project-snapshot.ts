import {hash} from 'node:crypto';
import {counted} from '../../base/counted.ts';
import {isJsonObject, parseJson} from '../../base/json.ts';
import type {ProjectTrust} from '../../config/trust/evaluate-project.ts';
import {readWholeProject, type ProjectRequest} from './trust-project.ts';

/** The state of everything that a project would run or load, without the contents. */
export interface ProjectSnapshot {
  /** `sha256:` and the SHA-256 of the rest, in hexadecimal: equal for equal projects. */
  readonly digest: string;
  readonly isTrusted: boolean;
  /** Sorted by kind and path. */
  readonly parts: readonly ProjectPart[];
}

interface ProjectPart {
  /** A kind of trusted content; `problem` for content that can never be trusted, with the reason as its path. */
  readonly kind: string;
  readonly path: string;
  readonly digest: string;
}

/** Reads everything in the project of a folder that would be run or loaded, the instructions of all folders included; runs nothing. */
export async function readProjectSnapshot(request: Pick<ProjectRequest, 'cwd' | 'home' | 'env'>): Promise<ProjectSnapshot> {
  return snapshotOf(await readWholeProject(request));
}

/** Returns the snapshot of a project that was read. */
export function snapshotOf({items, problems, state}: Pick<ProjectTrust, 'items' | 'problems' | 'state'>): ProjectSnapshot {
  const found = [
    ...items.map(({kind, path, digest}) => ({kind, path, digest})),
    ...problems.map((path) => ({kind: 'problem', path, digest: ''})),
  ];
  const parts = found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const isTrusted = state === 'trusted';
  const text = JSON.stringify([isTrusted, parts.map(({kind, path, digest}) => [kind, path, digest])]);
  return {digest: `sha256:${hash('sha256', text)}`, isTrusted, parts};
}

/** Returns the differences between two snapshots in words, one each, such as "AGENTS.md is changed"; empty for equal ones. */
export function projectChanges(before: ProjectSnapshot, after: ProjectSnapshot): readonly string[] {
  const [old, now] = [before, after].map(({parts}) => new Map(parts.map((part) => [keyOf(part), part])));
  const changed = after.parts.flatMap((part) => {
    const earlier = old?.get(keyOf(part));
    if (earlier?.digest === part.digest) return [];
    return [part.kind === 'problem' ? part.path : `${part.path} is ${earlier === undefined ? 'new' : 'changed'}`];
  });
  const gone = before.parts.filter((part) => now?.has(keyOf(part)) !== true && part.kind !== 'problem').map(({path}) => `${path} is gone`);
  const differences = [...changed, ...gone];
  if (differences.length > 0 || before.isTrusted === after.isTrusted) return differences;
  return [after.isTrusted ? 'the project is trusted now' : 'the project is not trusted any more'];
}

/** Joins differences into one line, the first of them by name. */
export function changesLine(changes: readonly string[]): string {
  const [first, rest] = [changes.slice(0, NAMED), changes.slice(NAMED)];
  return [...first, ...(rest.length === 0 ? [] : [counted(rest.length, 'further change')])].join(', ');
}

const NAMED = 3;

/** Writes a snapshot as text, to be compared with later. */
export function snapshotText(snapshot: ProjectSnapshot): string {
  return `${JSON.stringify(snapshot)}\n`;
}

/** Reads the text of a snapshot; undefined if it is none. */
export function readSnapshotText(text: string): ProjectSnapshot | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const {digest, isTrusted, parts} = value;
  if (typeof digest !== 'string' || typeof isTrusted !== 'boolean' || !Array.isArray(parts)) return undefined;
  const read = parts.map(asPart);
  return read.includes(undefined) ? undefined : {digest, isTrusted, parts: read.filter((part) => part !== undefined)};
}

function asPart(value: unknown): ProjectPart | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const {kind, path, digest} = value as Record<string, unknown>;
  return typeof kind === 'string' && typeof path === 'string' && typeof digest === 'string' ? {kind, path, digest} : undefined;
}

function keyOf({kind, path}: Pick<ProjectPart, 'kind' | 'path'>): string {
  return JSON.stringify([kind, path]);
}
