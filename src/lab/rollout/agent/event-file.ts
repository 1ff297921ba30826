import {closeSync, openSync, writeSync} from 'node:fs';

export interface EventFile {
  push(text: string): void;
  /** Writes the rest and closes the file. */
  close(): void;
}

/** Writes the lines of `fettle exec --json` to a file; deltas are left out, since the item that follows has the whole. */
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
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      take(lines);
    },
    close() {
      if (rest !== '') take([rest]);
      closeSync(descriptor);
    },
  };
}

/** The events of one run: more is a run that repeats itself. */
const MAX_BYTES = 512 * 1024 * 1024;
