import type {Stats} from 'node:fs';

/** Attributes that show whether a file changed since it was read. */
export interface FileState {
  readonly mtimeMs: number;
  readonly size: number;
}

/** The state of a file that was just written in place of another. */
export interface WrittenState extends FileState {
  /** Properties that could not be preserved: names of extended attributes, `setuid` … Absent: no loss is known. */
  readonly lost?: readonly string[] | undefined;
}

export function stateOf(stats: Stats): FileState {
  return {mtimeMs: stats.mtimeMs, size: stats.size};
}

export function sameState(left: FileState, right: FileState): boolean {
  return left.mtimeMs === right.mtimeMs && left.size === right.size;
}
