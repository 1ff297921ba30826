import {describe, expect, it} from 'vitest';
import {parseInThreads} from '../../../src/code/index/parse-pool.ts';
import type {Parsed} from '../../../src/code/index/parse-source.ts';

const entry = new URL('echo-thread.ts', import.meta.url);
const filesOf = (names: readonly string[]) => names.map((path) => ({path, language: 'typescript', size: 1500}));

async function parsed(names: readonly string[], fail = false): Promise<string[]> {
  const paths: string[] = [];
  const take = (all: readonly Parsed[]): void => {
    if (fail) throw new Error('The disk is full.');
    for (const one of all) if (one.is === 'gone') paths.push(one.path);
  };
  await parseInThreads({root: '/', files: filesOf(names), entry}, take);
  return paths;
}

describe('parseInThreads (design 8: ≤ 300 MB while building 1 M lines)', () => {
  it('hands every file over once, and has other threads take the place of those that have parsed 20 batches', async () => {
    const names = Array.from({length: 50 * 200}, (_, n) => `f${n}.ts`);
    const paths = await parsed(names);
    expect(paths.map((path) => path.replace(/^\d+ /, '')).toSorted()).toEqual(names.toSorted());
    const files = Object.groupBy(paths, (path) => path.split(' ')[0] ?? '');
    const most = Math.max(...Object.values(files).map((own) => own?.length ?? 0));
    expect({threads: Object.keys(files).length >= 3, most}).toEqual({threads: true, most: 20 * 200});
  });

  it('starts no thread for nothing', async () => {
    expect(await parsed([])).toEqual([]);
  });

  it('fails with what failed: a thread that ended, a result that could not be stored', async () => {
    await expect(parsed(['a.ts', 'end'])).rejects.toThrow('A thread that parses has ended.');
    await expect(parsed(['a.ts'], true)).rejects.toThrow('The disk is full.');
  });
});
