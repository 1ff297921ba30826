import type {FileState} from '../workspace/file-state.ts';

/** What a thread knows of files: the state in which it last read or wrote each. */
export interface FileMemory {
  /** Remembers the state of a file as the model now knows it. */
  note(path: string, state: FileState): void;
  /** The state last noted; undefined: never read in this thread. */
  known(path: string): FileState | undefined;
}

export function createFileMemory(): FileMemory {
  const states = new Map<string, FileState>();
  return {
    note: (path, state) => void states.set(path, state),
    known: (path) => states.get(path),
  };
}
