import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {IndexKeeper} from '../../../src/code/index/index-keeper.ts';
import {scratch} from '../../support/scratch.ts';

describe('IndexKeeper', () => {
  it('watches after the first answer, so that one changed file needs no look at all others (design 8: visible ≤ 50 ms)', async ({
    signal,
  }) => {
    const root = await scratch({'src/a.ts': 'export const a = 1;\n'});
    const entry = new URL('../../../src/code/index/index-process.ts', import.meta.url);
    const keeper = new IndexKeeper({root, database: join(await scratch(), 'index.sqlite'), entry, rebuild: false});
    const before = watchers();
    const counts: number[] = [];
    await keeper.fresh(() => undefined, signal);
    counts.push(watchers() - before);
    await keeper.prepare(signal);
    counts.push(watchers() - before);
    keeper.close();
    expect(counts).toEqual([0, 2]);
  });
});

function watchers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
}
