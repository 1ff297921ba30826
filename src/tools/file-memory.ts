import {sep} from 'node:path';
import type {FileState, WrittenState} from '../workspace/file-state.ts';

/** A thread's memory of files: the state in which it last read or wrote each. */
export interface FileMemory {
  /** Remembers the state of a file as the model now knows it. */
  note(path: string, state: WrittenState): void;
  /** Returns the state last noted; undefined if the file was never read in this thread. */
  known(path: string): FileState | undefined;
  /** Called when the thread has deleted the file, or a folder with its content. */
  forget(path: string): void;
  /** Called when the thread has moved a file, or a folder with its content; the noted states apply to the new path. */
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

/** Returns a memory that also reports content that a file lost when it was written, for the model. */
export function reportingLosses(files: FileMemory, tell: (note: string) => void): FileMemory {
  return {
    ...files,
    note(path, state) {
      if (state.lost !== undefined) tell(`${path} could not keep: ${state.lost.join(', ')}`);
      files.note(path, state);
    },
  };
}
