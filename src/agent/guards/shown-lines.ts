import type {ShownLines} from './observed-call.ts';

/** Records which lines of files were read since their last change. */
export interface LineMemory {
  /** Returns `same` if all of the lines were shown before, `more` if some were not, `new` for a file that is not known or has changed. */
  learn(shown: ShownLines): 'same' | 'more' | 'new';
  /** Files may have changed: reading them again counts as new. */
  forget(): void;
}

/** Remembers lines by their number: other ranges of the same lines bring nothing new, and the next page always does. */
export function createLineMemory(): LineMemory {
  const files = new Map<string, Map<number, string>>();
  let size = 0;
  return {
    learn({path, firstLine, lines}) {
      if (size > MAX_LINES) this.forget();
      size += lines.length;
      const known = files.get(path);
      const numbered = lines.map((line, index) => [firstLine + index, line] as const);
      const isChanged = numbered.some(([number, line]) => (known?.get(number) ?? line) !== line);
      const kept = known === undefined || isChanged ? new Map<number, string>() : known;
      const hasMore = numbered.some(([number]) => !kept.has(number));
      for (const [number, line] of numbered) kept.set(number, line);
      files.set(path, kept);
      if (kept !== known) return 'new';
      return hasMore ? 'more' : 'same';
    },
    forget() {
      files.clear();
      size = 0;
    },
  };
}

/** Most lines of all files together; beyond that, reads count as new again. */
const MAX_LINES = 500_000;
