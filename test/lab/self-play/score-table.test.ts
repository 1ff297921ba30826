import {appendFile, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openScoreTable} from '../../../src/lab/self-play/score-table.ts';
import {scratch} from '../../support/scratch.ts';

const PAIR = {task: 't', patch: 'p', tests: 's'};

describe('openScoreTable', () => {
  it('computes a score once, also over processes', async () => {
    const file = join(await scratch({}), 'pairs.jsonl');
    let computed = 0;
    const compute = async (): Promise<boolean> => {
      computed += 1;
      return await Promise.resolve(true);
    };
    const table = await openScoreTable(file);
    expect([await table.score(PAIR, compute), await table.score(PAIR, compute)]).toEqual([true, true]);
    expect(await (await openScoreTable(file)).score(PAIR, compute)).toBe(true);
    expect([computed, await readFile(file, 'utf8')]).toEqual([1, '{"task":"t","patch":"p","tests":"s","passed":true}\n']);
  });

  it('goes on behind a line that was cut off', async () => {
    const file = join(await scratch({}), 'pairs.jsonl');
    await appendFile(file, '{"task":"t","patch":"p","te');
    const table = await openScoreTable(file);
    expect(await table.score(PAIR, async () => await Promise.resolve(false))).toBe(false);
    expect(await (await openScoreTable(file)).score(PAIR, async () => await Promise.resolve(true))).toBe(false);
  });

  it('keeps no score of what failed', async () => {
    const table = await openScoreTable(join(await scratch({}), 'pairs.jsonl'));
    await expect(table.score(PAIR, async () => await Promise.reject(new Error('disk')))).rejects.toThrow('disk');
    expect(await table.score(PAIR, async () => await Promise.resolve(true))).toBe(true);
  });
});
