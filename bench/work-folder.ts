import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** Makes the folder that every row works in: 3,000 files, 500 of them in `files`, and every hundredth with a needle. */
export function makeWorkFolder(root: string): void {
  mkdirSync(join(root, '.git'), {recursive: true});
  for (let n = 0; n < 3000; n += 1) {
    const folder = join(root, n < 500 ? 'files' : `tree/d${n % 50}`);
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, `f${n}.txt`), body(n));
  }
}

/** Writes the file that the edits count in, as it is before the first of them. */
export function resetCounter(root: string): void {
  const filler = Array.from({length: 100}, (_, n) => `// line ${n} of a source file of ordinary length\n`).join('');
  writeFileSync(join(root, 'counter.txt'), `${filler}export const value = 0;\n${filler}`);
}

function body(n: number): string {
  const line = `line of file ${n} with some words in it, as source code would have\n`;
  return `${line.repeat(20)}${n % 100 === 0 ? `needle ${n / 100}\n` : ''}${line.repeat(10)}`;
}
