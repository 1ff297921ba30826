import {readdirSync} from 'node:fs';
import {isTemporaryName} from '../temporary-file.ts';
import {below, parentOf, systemPath, type BytePath} from './byte-path.ts';
import {captureKnown, isReached, statsOf, type Capture} from './capture.ts';
import type {EntryState} from './entry-state.ts';

export interface CapturedBelow {
  /** The states of all entries that were not known. */
  readonly states: Map<BytePath, EntryState>;
  readonly known: readonly BytePath[];
}

/**
 * Captures a path and, if it is a folder, everything below it except `.git`; for a missing path, which folders above it are missing too.
 * Known entries are not read again.
 */
export async function captureBelow(path: BytePath, capture: Capture, knows: (path: BytePath) => boolean): Promise<CapturedBelow> {
  const states = new Map<BytePath, EntryState>();
  const known: BytePath[] = [];
  for (let parent = parentOf(path); parent !== '' && statsOf(parent, capture.folder) === undefined; parent = parentOf(parent)) {
    if (!knows(parent)) states.set(parent, null);
  }
  const visit = async (at: BytePath): Promise<void> => {
    const stats = at !== path || isReached(at, capture.folder) ? statsOf(at, capture.folder) : undefined;
    if (knows(at)) known.push(at);
    else states.set(at, stats === undefined ? null : await captureKnown(at, stats, capture));
    if (stats?.isDirectory() !== true) return;
    for (const name of readdirSync(systemPath(capture.folder, at), {encoding: 'latin1'})) {
      if (name.toLowerCase() !== '.git' && !isTemporaryName(name)) await visit(below(at, name));
    }
  };
  await visit(path);
  return {states, known};
}
