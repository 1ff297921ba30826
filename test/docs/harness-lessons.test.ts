import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = await readFile(join(ROOT, 'docs/harness-lessons.md'), 'utf8');
const rows = [...page.matchAll(/^\| (\d+) \|.*\| `([^`]+)` › (.+) \|$/gm)].map(([, number = '', file = '', words = '']) => ({
  number,
  file,
  words,
}));

describe('docs/harness-lessons.md', () => {
  it('names a test for each mistake', () => {
    expect(rows.map(({number}) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  });

  it.each(rows)('$number: the test is there ($file)', async ({file, words}) => {
    expect(await readFile(join(ROOT, file), 'utf8')).toContain(words);
  });
});
