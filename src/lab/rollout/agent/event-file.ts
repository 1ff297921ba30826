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
  const take = (line: string): void => {
    onLine(line);
    if (line.startsWith('{"type":"item.updated"') || bytes > MAX_BYTES) return;
    bytes += writeSync(descriptor, `${line}\n`);
  };
  return {
    push(text) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    },
    close() {
      if (rest !== '') take(rest);
      closeSync(descriptor);
    },
  };
}

/** The events of one run: more is a run that repeats itself. */
const MAX_BYTES = 512 * 1024 * 1024;
