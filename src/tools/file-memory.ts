import {sep} from 'node:path';
import type {FileState, WrittenState} from '../workspace/file-state.ts';

/** A thread's memory of files: the state in which it last read or wrote each. */
export interface FileMemory {
  /** Remembers the state of a file as the model now knows it. */
  note(path: string, state: WrittenState): void;
  /** The state last noted; undefined: never read in this thread. */
  known(path: string): FileState | undefined;
  /** The thread has deleted the file, or the folder with all in it. */
  forget(path: string): void;
  /** The thread has moved a file, or a folder with all in it; what is known of it holds at the new place. */
  moved(from: string, to: string): void;
}

export function createFileMemory(): FileMemory {
  const states = new Map<string, FileState>();
  const take = (path: string): [string, FileState][] => {
    const taken = [...states].filter(([known]) => known === path || known.startsWith(path + sep));
    for (const [known] of taken) states.delete(known);
    return taken;
  };
  return {
    note: (path, {mtimeMs, size}) => void states.set(path, {mtimeMs, size}),
    known: (path) => states.get(path),
    forget: (path) => void take(path),
    moved(from, to) {
      for (const [path, state] of take(from)) states.set(to + path.slice(from.length), state);
    },
  };
}

/** A memory that also reports what a file lost when it was written, for the model. */
export function reportingLosses(files: FileMemory, tell: (note: string) => void): FileMemory {
  return {
    ...files,
    note(path, state) {
      if (state.lost !== undefined) tell(`${path} could not keep: ${state.lost.join(', ')}`);
      files.note(path, state);
    },
  };
}
