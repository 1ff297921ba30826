import {execFileSync, spawn} from 'node:child_process';
import {chmodSync, mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {describe, expect, it} from 'vitest';
import {recoverCheckpoints} from '../../../src/workspace/checkpoints/recover.ts';
import {undoState} from '../../../src/workspace/checkpoints/restore/undo-chain.ts';
import {kept, keptIn, LIMITS, never, treeOf, type Kept} from './support.ts';
import {killedWithTest} from '../../support/processes.ts';

const CHILD = join(import.meta.dirname, 'restore-in-child.ts');

interface Changed extends Kept {
  readonly turn1: string;
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
}

/** Contents, modes, links, empty folders, kinds: everything that an undo has to bring back. */
async function changed(): Promise<Changed> {
  const at = await kept({'a.txt': 'one', 'sub/b.txt': 'b', 'sub/deep/c.txt': 'c', 'run.sh': '#!/bin/sh\n', kind: 'file'});
  mkdirSync(join(at.root, 'empty/inner'), {recursive: true});
  symlinkSync('a.txt', join(at.root, 'link'));
  chmodSync(join(at.root, 'run.sh'), 0o750);
  const before = treeOf(at.root);
  const line =
    'rm -r sub empty link kind; echo two > a.txt; mkdir -p new/deep kind; echo x > new/deep/f; chmod 600 run.sh; ln -s run.sh new/l';
  const done = await at.turn('tree', () => void execFileSync('sh', ['-c', line], {cwd: at.root}));
  return {...at, turn1: done?.id ?? '', before, after: treeOf(at.root)};
}

interface Ended {
  readonly outcome: string;
  readonly changes: number;
}

/** undefined: it was killed. */
async function restoreIn(at: Kept, id: string, {wrong, n}: {wrong: string; n: number}): Promise<Ended | undefined> {
  const child = spawn(process.execPath, [CHILD, at.root, at.state, id, wrong, String(n)], {stdio: ['ignore', 'pipe', 'inherit']});
  killedWithTest(child);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const [out] = await Promise.all([text(child.stdout), closed]);
  return out === '' ? undefined : (JSON.parse(out) as Ended);
}

async function recovered(at: Kept): Promise<void> {
  const scan = {ignored: 'small' as const, env: {}, own: undefined, maxEntries: 1000, maxReadMs: 1000};
  const capture = {folder: at.root, maxFileBytes: LIMITS.maxFileBytes};
  await recoverCheckpoints({place: at.place, isActive: () => false, scan, capture}, never);
}

/** Every change of a restore, two at a time; `check` is told what came of each. */
async function atEach(
  {wrong, every = 1}: {wrong: string; every?: number},
  first: (at: Changed) => Promise<string>,
  check: (one: Cut) => Promise<void>,
): Promise<number> {
  let changes = Infinity;
  let next = 1;
  const work = async (): Promise<void> => {
    for (let n = next; n <= changes; n = next) {
      next += every;
      const at = await changed();
      const id = await first(at);
      const ended = await restoreIn(at, id, {wrong, n});
      if (ended !== undefined && ended.changes < n) changes = Math.min(changes, n);
      await check({at, id, n, ended});
    }
  };
  await Promise.all([work(), work()]);
  return changes;
}

interface Cut {
  readonly at: Changed;
  readonly id: string;
  readonly n: number;
  readonly ended: Ended | undefined;
}

describe('kill -9 at each change that a restore makes (issue 4.4)', () => {
  it('undo: undone again later, the old tree is back byte for byte; until then it counts as not undone', {timeout: 300_000}, async () => {
    const killed = {early: 0, half: 0};
    const changes = await atEach(
      {wrong: 'kill'},
      async ({turn1}) => turn1,
      async ({at, n, ended}) => {
        await recovered(at);
        if (ended === undefined) {
          const [isEarly, state] = [JSON.stringify(treeOf(at.root)) === JSON.stringify(at.after), undoState(at.list())];
          killed[isEarly ? 'early' : 'half'] += 1;
          expect([n, state.undo?.id, state.redo?.id]).toEqual([n, at.turn1, undefined]);
        }
        const again = await keptIn(at).restore(at.turn1);
        expect([n, again.refused, treeOf(at.root)]).toEqual([n, [], at.before]);
        const {undo, redo} = undoState(at.list());
        expect([n, undo, redo?.target]).toEqual([n, undefined, at.turn1]);
        await keptIn(at).restore(redo?.id);
        expect([n, treeOf(at.root)]).toEqual([n, at.after]);
      },
    );
    expect([changes > 20, killed.early > 0, killed.half > 10]).toEqual([true, true, true]);
  });

  it('redo: redone again later, the new tree is back byte for byte', {timeout: 300_000}, async () => {
    const undone = async (at: Changed): Promise<string> => (await at.restore(at.turn1)).id ?? '';
    const changes = await atEach({wrong: 'kill', every: 3}, undone, async ({at, id, n, ended}) => {
      await recovered(at);
      if (ended === undefined) expect([n, undoState(at.list()).redo?.id]).toEqual([n, id]);
      const again = await keptIn(at).restore(id);
      expect([n, again.refused, treeOf(at.root)]).toEqual([n, [], at.after]);
    });
    expect(changes).toBeGreaterThan(20);
  });
});

describe('a disk that is full in the folder itself (issue 4.1)', () => {
  it(
    'while contents are written: refused, and nothing was changed; later: what could not be done is named',
    {timeout: 300_000},
    async () => {
      const outcomes = new Set<string>();
      await atEach(
        {wrong: 'ENOSPC'},
        async ({turn1}) => turn1,
        async ({at, n, ended}) => {
          const now = JSON.stringify(treeOf(at.root));
          const outcome = ended?.outcome ?? 'killed';
          outcomes.add(outcome);
          if (outcome === 'IO') expect([n, now]).toEqual([n, JSON.stringify(at.after)]);
          if (outcome === 'restored, 0 refused') expect([n, now]).toEqual([n, JSON.stringify(at.before)]);
          await recovered(at);
          const again = await keptIn(at).restore(at.turn1);
          expect([n, again.refused, treeOf(at.root)]).toEqual([n, [], at.before]);
        },
      );
      expect([...outcomes].sort()).toEqual(expect.arrayContaining(['IO', 'restored, 0 refused', 'restored, 1 refused']));
    },
  );
});
