import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {IndexKeeper} from '../../../src/code/index/index-keeper.ts';
import {scratch} from '../../support/scratch.ts';
import {dumpIndex, updateFiles} from '../index-files.ts';

describe('IndexKeeper', () => {
  it('watches after the first answer, so that one changed file needs no look at all others (design 8: visible ≤ 50 ms)', async ({
    signal,
  }) => {
    const {keeper} = await keeperOf({'src/a.ts': 'export const a = 1;\n'});
    const before = watchers();
    const counts: number[] = [];
    await keeper.fresh(() => undefined, signal);
    counts.push(watchers() - before);
    await keeper.prepare(signal);
    counts.push(watchers() - before);
    keeper.close();
    expect(counts).toEqual([0, 2]);
  });

  it('parses nothing that nobody asked for: a file that is written in two steps keeps its last good parse (issue), and no change is lost', async ({
    signal,
  }) => {
    const {root, keeper, dump} = await keeperOf({'a.ts': 'export function one() {}\n', 'b.ts': 'const b = 1;\n', 'c.ts': 'const c = 1;\n'});
    await keeper.fresh(() => undefined, signal);
    await writeFile(join(root, 'a.ts'), '');
    await writeFile(join(root, 'b.ts'), 'const other = 1;\n');
    await rm(join(root, 'c.ts'));
    await keeper.prepare(signal);
    await writeFile(join(root, 'a.ts'), 'export function one( {\n');
    await keeper.fresh(() => undefined, signal);
    keeper.close();
    expect(dump().map((line) => line.split(' ', 2).join(' '))).toEqual(['a.ts one#function', 'b.ts other#constant']);
  });

  it('an overlay that comes while an update runs is seen by the next one', async ({signal}) => {
    const {keeper, dump} = await keeperOf({'a.ts': 'const a = 1;\n'});
    for (let time = 0; time < 2; time++) await keeper.fresh(() => undefined, signal);
    await keeper.prepare(signal);
    keeper.overlay('a.ts', 'const unsaved = 1;\n');
    await keeper.fresh(() => keeper.overlay('a.ts', undefined), signal);
    await keeper.fresh(() => undefined, signal);
    keeper.close();
    expect(dump().map((line) => line.split(' ', 2).join(' '))).toEqual(['a.ts a#constant']);
  });

  it('who asks for symbols alone does not wait for relations: they follow when nobody waits (design 8: visible ≤ 50 ms)', async ({
    signal,
  }) => {
    const use = "import {one, two} from './a.ts';\none(); two();\n";
    const {root, keeper, dump} = await keeperOf({'a.ts': 'export function one() {}\n', 'use.ts': use});
    const known = (): string[] => dump().filter((line) => / two/.test(line) && !/#/.test(line.split(' ')[1] ?? ''));
    const nobody = ['use.ts:1 import two -> ?', 'use.ts:2 call two -> ?'];
    await keeper.fresh(() => undefined, signal, 'symbols');
    await writeFile(join(root, 'a.ts'), 'export function one() {}\nexport function two() {}\n');
    await keeper.fresh(() => undefined, signal, 'symbols');
    expect([dump().some((line) => line.startsWith('a.ts two#function')), known().toSorted()]).toEqual([true, nobody]);
    const settled = keeper.settle(signal);
    await keeper.fresh(() => undefined, signal, 'symbols');
    await settled;
    expect(known().toSorted()).toEqual(nobody); // somebody else waited
    await keeper.settle(signal);
    keeper.close();
    const other = join(await scratch(), 'other.sqlite');
    await updateFiles(root, other);
    expect(dump()).toEqual(dumpIndex(other));
  });
});

async function keeperOf(files: Readonly<Record<string, string>>) {
  const root = await scratch(files);
  const database = join(await scratch(), 'index.sqlite');
  const entry = new URL('../../../src/code/index/index-process.ts', import.meta.url);
  return {root, keeper: new IndexKeeper({root, database, entry, rebuild: false}), dump: () => dumpIndex(database)};
}

function watchers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
}
