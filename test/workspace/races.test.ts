import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile, readlink, rename, rm, symlink, unlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {isFettleError} from '../../src/base/errors.ts';
import {openDirectory, makeFolders} from '../../src/exec/directory-handle.ts';
import {copyEntry} from '../../src/workspace/copy-entry.ts';
import {deleteEntry} from '../../src/workspace/delete-entry.ts';
import {editTextFile} from './support/edit-text-file.ts';
import {moveEntry} from '../../src/workspace/move-entry.ts';
import {readTextFile} from '../../src/workspace/read-file.ts';
import {readLineRange} from '../../src/workspace/read-line-range.ts';
import {writeFileAtomic} from '../../src/workspace/write-file.ts';
import {writeFiles} from '../../src/workspace/write-files.ts';
import {scratch} from '../support/scratch.ts';
import {treeOf} from './tree.ts';

const {signal} = new AbortController();
const bytes = Buffer.from('mine');
const OUTSIDE = {'f.txt': 'secret', 'g.txt': 'secret', 'deep/f.txt': 'secret'};

/** A workspace whose folder `sub` another process swaps for a link to a folder outside, again and again. */
async function racing(): Promise<{root: string; sub: string; outside: string; untouched: () => Promise<void>}> {
  const root = await scratch({'sub/f.txt': 'inside', 'sub/deep/f.txt': 'inside', 'from.txt': 'inside'});
  const outside = await scratch(OUTSIDE);
  const before = await treeOf(outside);
  const racer = spawn(process.execPath, [join(import.meta.dirname, 'race.mjs'), join(root, 'sub'), outside], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(racer, 'exit');
  onTestFinished(async () => {
    racer.kill('SIGKILL');
    await ended;
  });
  await once(racer.stdout, 'data');
  return {root, sub: join(root, 'sub'), outside, untouched: async () => expect(await treeOf(outside)).toEqual(before)};
}

const ROUNDS = 400;
/** On a busy machine the racer stands still for long: a race that was never won or never lost is run on, so far. */
const MOST_ROUNDS = 40_000;

/** How often it was done, and how often it was refused. A defect is thrown on. */
async function often(attempt: (round: number) => Promise<unknown>): Promise<{done: number; refused: number}> {
  const tally = {done: 0, refused: 0};
  const isOpen = (round: number): boolean => round < ROUNDS || (round < MOST_ROUNDS && (tally.done === 0 || tally.refused === 0));
  for (let round = 0; isOpen(round); round++) {
    try {
      await attempt(round);
      tally.done += 1;
    } catch (error) {
      if (!isFettleError(error) && !(error instanceof Error && 'code' in error)) throw error;
      if (isFettleError(error) && error.code === 'INTERNAL') throw error;
      tally.refused += 1;
    }
  }
  return tally;
}

describe(
  'CVE-2026-39861, CVE-2026-21523: a folder is swapped for a link between check and use, by another process',
  {timeout: 60_000},
  () => {
    it('no write leaves the workspace', async () => {
      const {sub, untouched} = await racing();
      const tally = await often((round) => writeFileAtomic(join(sub, round % 2 === 0 ? 'f.txt' : 'deep/f.txt'), bytes));
      const made = await often((round) => writeFileAtomic(join(sub, `new-${round}/x.txt`), bytes, {expect: 'absent'}));
      await untouched();
      // The race was one: both came about.
      expect([tally.done, tally.refused, made.done, made.refused].map((count) => count > 0)).toEqual([true, true, true, true]);
    });

    it('no edit leaves it, and no text of outside is read', async () => {
      const {sub, untouched} = await racing();
      const read: string[] = [];
      await often(async () => read.push((await readTextFile(join(sub, 'f.txt'), {maxBytes: 100}, signal)).text));
      await often(async () => read.push(...(await readLineRange(join(sub, 'f.txt'), {firstLine: 1, maxLines: 9}, signal)).lines));
      await often(async (round) => {
        const [oldText, newText] = round % 2 === 0 ? ['inside', 'edited'] : ['edited', 'inside'];
        await editTextFile(join(sub, 'f.txt'), {oldText, newText, replaceAll: false}, {maxBytes: 100}, signal);
      });
      await untouched();
      expect(new Set(read)).toEqual(new Set(['inside']));
    });

    it('nothing outside is deleted, moved, copied or made', async () => {
      const {root, sub, untouched} = await racing();
      await often(async (round) => {
        await copyEntry(join(root, 'from.txt'), join(sub, `g-${round}.txt`), signal);
        await moveEntry(join(sub, `g-${round}.txt`), join(sub, `h-${round}.txt`), signal);
        await deleteEntry(join(sub, `h-${round}.txt`), signal);
      });
      await often((round) => makeFolders(join(sub, `made-${round}/deep`)));
      await often((round) => copyEntry(join(sub, 'f.txt'), join(root, `copies/${round}.txt`), signal));
      await often((round) => copyEntry(join(sub, 'deep'), join(root, `copies/tree-${round}`), signal));
      await often(() => deleteEntry(join(sub, 'g.txt'), signal));
      await often((round) => writeFiles([{kind: 'write', path: join(sub, `p-${round}.txt`), bytes, expect: 'absent'}], {signal}));
      await untouched();
      const copied = new Set(Object.values(await treeOf(join(root, 'copies'))));
      expect(copied).toEqual(new Set(['inside', 'folder']));
    });
  },
);

describe('a folder that is held', () => {
  it('names stay in it where its path leads elsewhere by now: the write lands in the folder that was checked', async () => {
    const root = await scratch({'sub/f.txt': 'old'});
    const outside = await scratch(OUTSIDE);
    await using folder = await openDirectory(join(root, 'sub'));
    await rename(join(root, 'sub'), join(root, 'moved'));
    await symlink(outside, join(root, 'sub'));
    await writeFile(folder.at('f.txt'), 'new');
    expect([await readFile(join(root, 'moved/f.txt'), 'utf8'), await readFile(join(outside, 'f.txt'), 'utf8')]).toEqual(['new', 'secret']);
  });

  it('errors name the path, not the descriptor', async () => {
    const root = await scratch();
    await using folder = await openDirectory(root);
    const error = await readFile(folder.at('none')).catch((thrown: unknown) => folder.named(thrown));
    expect(error).toMatchObject({code: 'ENOENT', message: `ENOENT: no such file or directory, open '${root}/none'`});
  });

  it('folders are made in the one that was held, and no link is taken for one', async () => {
    const root = await scratch({file: ''});
    const outside = await scratch();
    await symlink(outside, join(root, 'link'));
    expect(await makeFolders(join(root, 'a/b/c'))).toBe(true);
    expect(await makeFolders(join(root, 'a/b/c'))).toBe(false);
    await expect(makeFolders(join(root, 'link/x'))).rejects.toMatchObject({code: 'STALE'});
    await expect(makeFolders(join(root, 'file/x'))).rejects.toMatchObject({code: 'ENOTDIR'});
    expect([await treeOf(root), await treeOf(outside)]).toEqual([
      {a: 'folder', 'a/b': 'folder', 'a/b/c': 'folder', file: '', link: `-> ${outside}`},
      {},
    ]);
  });

  it('a tree that is deleted or copied is entered without following what became a link', async () => {
    const root = await scratch({'tree/a/x': 'x', 'tree/b/x': 'x'});
    const outside = await scratch(OUTSIDE);
    await rm(join(root, 'tree/a'), {recursive: true});
    await symlink(outside, join(root, 'tree/a'));
    await copyEntry(join(root, 'tree'), join(root, 'copy'), signal);
    await deleteEntry(join(root, 'tree'), signal);
    expect(await readlink(join(root, 'copy/a'))).toBe(outside);
    await unlink(join(root, 'copy/a'));
    expect(await treeOf(root)).toEqual({copy: 'folder', 'copy/b': 'folder', 'copy/b/x': 'x'});
    expect(await treeOf(outside)).toMatchObject(OUTSIDE);
  });
});
