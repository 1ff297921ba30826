import {closeSync, openSync, writeSync} from 'node:fs';

export interface EventFile {
  push(text: string): void;
  /** Writes the rest and closes the file. */
  close(): void;
}

/** Writes the lines of `fettle exec --json` to a file; deltas are left out, since the item that follows has the whole. A line without an end is cut. */
export function createEventFile(file: string, onLine: (line: string) => void): EventFile {
  const descriptor = openSync(file, 'w', 0o600);
  let rest = '';
  let bytes = 0;
  const take = (lines: readonly string[]): void => {
    for (const line of lines) onLine(line);
    const kept = lines.filter((line) => !line.startsWith('{"type":"item.updated"'));
    if (kept.length > 0 && bytes <= MAX_BYTES) bytes += writeSync(descriptor, `${kept.join('\n')}\n`);
  };
  return {
    push(text) {
      const [first = '', ...others] = text.split('\n');
      rest += first.slice(0, Math.max(0, MAX_LINE - rest.length));
      if (others.length === 0) return;
      const lines = [rest, ...others];
      rest = lines.pop() ?? '';
      take(lines);
    },
    close() {
      if (rest !== '') take([rest]);
      closeSync(descriptor);
    },
  };
}

/** Characters of a line: what an item can have is less. */
const MAX_LINE = 64 * 1024 * 1024;

/** The events of one run: more is a run that repeats itself. */
const MAX_BYTES = 512 * 1024 * 1024;
