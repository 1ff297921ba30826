import type {Stats} from 'node:fs';

/** What tells whether a file changed since it was read. */
export interface FileState {
  readonly mtimeMs: number;
  readonly size: number;
}

export function stateOf(stats: Stats): FileState {
  return {mtimeMs: stats.mtimeMs, size: stats.size};
}

export function sameState(left: FileState, right: FileState): boolean {
  return left.mtimeMs === right.mtimeMs && left.size === right.size;
}
