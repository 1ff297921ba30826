import {mkdirSync, readFileSync, symlinkSync, watch} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {treeOf} from '../workspace/checkpoints/support.ts';
import {bash, edit, listed, scripted} from './checkpoints-support.ts';
import {fettle, finished, place, start, type Place} from './support.ts';

const FILES = Array.from({length: 50}, (_, n) => `d${n % 5}/f${n}.txt`);
const OLD = (n: number): string => `old ${n}\n${'x'.repeat(n * 100)}\n`;

/** 50 files are edited, written, moved and deleted, by tools and by commands. */
function fiftyEdits(): readonly object[] {
  const edits = FILES.slice(0, 30).map((path, n) => edit(path, `old ${n}\n`, `new ${n}\n`));
  const writes = FILES.slice(30, 40).map((path, n) => ({name: 'write', arguments: {path, content: `new ${n + 30}\n`, overwrite: true}}));
  const moves = FILES.slice(40)
    .map((path) => `sed 's/old/new/' ${path} > ${path}.part && mv ${path}.part ${path}`)
    .join('; ');
  return [
    ...[0, 6, 12].map((n) => ({toolCalls: edits.slice(n, n + 6)})),
    {toolCalls: [bash(`${moves}; chmod 755 d0/f40.txt; ln -s f1.txt d1/link`)]},
    ...[18, 24].map((n) => ({toolCalls: edits.slice(n, n + 6)})),
    {toolCalls: [...writes.slice(0, 5), bash('rm -r empty; mkdir -p made/deep; cp -r d2 made/deep/; rm d3/f3.txt')]},
    {toolCalls: writes.slice(5)},
    {text: 'Done.'},
  ];
}

describe('kill -9 at a random moment of a run that edits 50 files (design 1.3)', () => {
  const runs = Number(process.env['FETTLE_CRASH_RUNS'] ?? 10);
  const seed = Number(process.env['FETTLE_CRASH_SEED'] ?? process.env['FETTLE_SEED']);

  it(
    `${runs} times, seed ${seed}: no file is torn, the session resumes, undo gives the tree back byte for byte`,
    {timeout: 20_000 + runs * 15_000},
    async () => {
      const model = await scripted(fiftyEdits());
      const goOn = await scripted([{text: 'Went on.'}]);
      const [moments = []] = fc.sample(fc.array(fc.record({line: fc.nat(220), jitterMs: fc.nat(12)}), {minLength: runs, maxLength: runs}), {
        seed,
        numRuns: 1,
      });
      const ends = {killed: 0, finished: 0};
      for (const {line, jitterMs} of moments) {
        const at = await place(Object.fromEntries(FILES.map((path, n) => [path, OLD(n)])));
        mkdirSync(join(at.work, 'empty/inner'), {recursive: true});
        symlinkSync('d0', join(at.work, 'link'));
        const before = treeOf(at.work);
        const code = await killedAfter(at, ['exec', '--json', ...model, 'change all'], {line, jitterMs});
        ends[code === null ? 'killed' : 'finished'] += 1;
        const where = `seed ${seed}, line ${line}, ${jitterMs} ms`;
        for (const [n, path] of FILES.entries()) {
          if (path !== 'd3/f3.txt')
            expect([OLD(n), OLD(n).replace('old', 'new'), `new ${n}\n`], where).toContain(readFileSync(join(at.work, path), 'utf8'));
        }
        const resumed = await fettle(at, ['exec', '--last', ...goOn, 'go on']);
        // Killed before the task was written down, there is nothing to go on with, and nothing was done.
        if (line === 0 && resumed.code === 2) {
          expect([resumed.stderr.includes('No session exists for'), treeOf(at.work)], where).toEqual([true, before]);
          continue;
        }
        expect([resumed.code, resumed.stdout], where).toEqual([0, 'Went on.\n']);
        for (const {id, kind} of await listed(at))
          if (kind === 'turn') expect((await fettle(at, ['checkpoints', 'restore', id])).code, where).toBe(0);
        expect(treeOf(at.work), where).toEqual(before);
      }
      if (process.env['FETTLE_CRASH_RUNS'] !== undefined) process.stderr.write(`${JSON.stringify(ends)}\n`);
      expect(ends.killed).toBeGreaterThan(0);
    },
  );
});

describe('kill -9 at a random moment of an undo and of a redo of 50 files (issue 4.4)', () => {
  const runs = Number(process.env['FETTLE_CRASH_RUNS'] ?? 10);
  const seed = Number(process.env['FETTLE_CRASH_SEED'] ?? process.env['FETTLE_SEED']);

  it(
    `${runs} times, seed ${seed}: done again later, the tree is that of before, and of after, byte for byte`,
    {timeout: 60_000 + runs * 15_000},
    async () => {
      const at = await place(Object.fromEntries(FILES.map((path, n) => [path, OLD(n)])));
      mkdirSync(join(at.work, 'empty/inner'), {recursive: true});
      symlinkSync('d0', join(at.work, 'link'));
      const before = treeOf(at.work);
      expect((await fettle(at, ['exec', ...(await scripted(fiftyEdits())), 'change all'])).code).toBe(0);
      const after = treeOf(at.work);
      const turn = (await listed(at))[0]?.id ?? '';
      const [moments = []] = fc.sample(fc.array(fc.nat(160), {minLength: runs, maxLength: runs}), {seed, numRuns: 1});
      const ends = {killed: 0, half: 0, finished: 0};
      let id = turn;
      for (const [n, moment] of moments.entries()) {
        const wanted = id === turn ? before : after;
        const where = `seed ${seed}, run ${n}, event ${moment}`;
        const from = JSON.stringify(treeOf(at.work));
        const code = await killedAtChange(at, ['checkpoints', 'restore', id], moment);
        const now = JSON.stringify(treeOf(at.work));
        ends[code === null ? 'killed' : 'finished'] += 1;
        if (code === null && now !== from && now !== JSON.stringify(wanted)) ends.half += 1;
        expect((await fettle(at, ['checkpoints', 'restore', id])).code, where).toBe(0);
        expect(treeOf(at.work), where).toEqual(wanted);
        id = id === turn ? ((await listed(at)).find(({state}) => state === 'redo')?.id ?? '') : turn;
      }
      if (process.env['FETTLE_CRASH_RUNS'] !== undefined) process.stderr.write(`undo and redo: ${JSON.stringify(ends)}\n`);
      expect(ends.killed).toBeGreaterThan(0);
    },
  );
});

/** Kills the command when so many changes were seen in the folder itself: contents arrive there before they go to their places. */
async function killedAtChange(at: Place, args: readonly string[], moment: number): Promise<number | null> {
  let seen = 0;
  const child = start(at, args);
  const watcher = watch(at.work, () => {
    if (seen === moment) child.kill('SIGKILL');
    seen += 1;
  });
  try {
    return (await finished(child)).code;
  } finally {
    watcher.close();
  }
}

/** Kills the command some milliseconds after it has printed so many events. */
async function killedAfter(at: Place, args: readonly string[], {line, jitterMs}: {line: number; jitterMs: number}): Promise<number | null> {
  const child = start(at, args);
  const end = finished(child);
  let lines = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    const before = lines;
    lines += chunk.toString().split('\n').length - 1;
    if (before <= line && lines > line) setTimeout(() => child.kill('SIGKILL'), jitterMs);
  });
  return (await end).code;
}
