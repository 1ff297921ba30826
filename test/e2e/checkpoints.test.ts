import {mkdirSync, readdirSync, readFileSync, symlinkSync, watch, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {treeOf} from '../workspace/checkpoints/support.ts';
import {scratch} from '../support/scratch.ts';
import {fettle, finished, place, start, type Place} from './support.ts';

/** The command with a model that says what `replies` say. */
async function scripted(replies: readonly object[]): Promise<readonly string[]> {
  const folder = await scratch({'script.json': JSON.stringify({replies})});
  return ['--model', `script:${join(folder, 'script.json')}`, '--mode', 'full-auto', '--no-sandbox', '--allow', 'bash:*'];
}

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly changed: readonly string[];
  readonly notes: readonly string[];
}

async function listed(at: Place): Promise<Listed[]> {
  return JSON.parse((await fettle(at, ['checkpoints', 'list', '--json'])).stdout) as Listed[];
}

const edit = (path: string, from: string, to: string): object => ({name: 'edit', arguments: {path, old_string: from, new_string: to}});
const bash = (command: string): object => ({name: 'bash', arguments: {command}});

describe('fettle checkpoints (design 6)', () => {
  it('list, diff, restore, and the restore restored', async () => {
    const at = await place({'a.txt': 'one\n', 'b.txt': 'gone soon\n'});
    const before = treeOf(at.work);
    const model = await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {toolCalls: [bash('rm b.txt; mkdir new')]}, {text: 'Done.'}]);
    expect((await fettle(at, ['exec', ...model, 'change it'])).code).toBe(0);
    const after = treeOf(at.work);
    const [done] = await listed(at);
    expect(done).toMatchObject({kind: 'turn', state: 'done', changed: ['a.txt', 'b.txt', 'new'], notes: []});
    const diff = await fettle(at, ['checkpoints', 'diff', done?.id ?? '', 'a.txt']);
    expect(diff.stdout).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n');
    const dry = await fettle(at, ['checkpoints', 'restore', '--dry-run', done?.id ?? '']);
    const said = dry.stderr.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME');
    const seen = ['b.txt', 'new'].map((path) => `changed while a command ran, until TIME: ${path}\n`).join('');
    expect([dry.code, dry.stdout, said, treeOf(at.work)]).toEqual([0, 'a.txt\nb.txt\nnew\n', `${seen}Would restore 3 entries.\n`, after]);
    const undo = await fettle(at, ['checkpoints', 'restore', done?.id ?? '']);
    expect([undo.code, undo.stdout, treeOf(at.work)]).toEqual([0, 'a.txt\nb.txt\nnew\n', before]);
    const [redo, undone] = await listed(at);
    expect([redo?.state, undone?.state]).toEqual(['redo', 'undone']);
    await fettle(at, ['checkpoints', 'restore', redo?.id ?? '']);
    expect(treeOf(at.work)).toEqual(after);
    expect((await listed(at)).map(({kind, state}) => `${kind} ${state}`)).toEqual(['restore done', 'restore done', 'turn done']);
  });

  it('list names what a checkpoint does not bring back (design 1, promise 2)', async () => {
    const at = await place({'.gitignore': '*.bin\n.env\n', 'big.bin': 'x'.repeat(2_000_000), '.env': 'A=1\n'});
    const model = await scripted([{toolCalls: [bash('git init -q; git clean -fdX')]}, {text: 'Done.'}]);
    expect((await fettle(at, ['exec', ...model, 'tidy up'])).code).toBe(0);
    const {stdout} = await fettle(at, ['checkpoints', 'list']);
    const [line = '', ...notes] = stdout.trimEnd().split('\n');
    expect([line.endsWith('tidy up'), notes.filter((note) => /^ {2}.*big\.bin/.test(note)).length]).toEqual([true, 1]);
    await fettle(at, ['checkpoints', 'restore', (await listed(at))[0]?.id ?? '']);
    expect(readFileSync(join(at.work, '.env'), 'utf8')).toBe('A=1\n');
  });

  it('what a person changed since stays, is named, and makes the exit code 1; --force replaces it', async () => {
    const at = await place({'a.txt': 'one\n'});
    await fettle(at, ['exec', ...(await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {text: 'Done.'}])), 'go']);
    writeFileSync(join(at.work, 'a.txt'), 'mine\n');
    const id = (await listed(at))[0]?.id ?? '';
    const refused = await fettle(at, ['checkpoints', 'restore', id]);
    expect([refused.code, refused.stdout, readFileSync(join(at.work, 'a.txt'), 'utf8')]).toEqual([1, '', 'mine\n']);
    expect(refused.stderr).toContain('left as it is: a.txt (changed since by somebody else)');
    const forced = await fettle(at, ['checkpoints', 'restore', '--force', id]);
    expect([forced.code, readFileSync(join(at.work, 'a.txt'), 'utf8')]).toEqual([0, 'one\n']);
  });

  it('--both takes the conversation back too: a resumed session knows nothing of the turn', async () => {
    const at = await place({'a.txt': 'one\n'});
    await fettle(at, ['exec', ...(await scripted([{text: 'Hello.'}])), 'remember: mango']);
    await fettle(at, [
      'exec',
      '--last',
      ...(await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {text: 'Done.'}])),
      'forget: papaya',
    ]);
    const id = (await listed(at))[0]?.id ?? '';
    const undo = await fettle(at, ['checkpoints', 'restore', '--both', id]);
    expect([undo.code, readFileSync(join(at.work, 'a.txt'), 'utf8')]).toEqual([0, 'one\n']);
    const seen = await fettle(at, ['exec', '--last', '--json', ...(await scripted([{text: 'Went on.', expect: 'third'}])), 'third']);
    expect([seen.code, seen.stdout.includes('papaya')]).toEqual([0, false]);
    const log =
      readdirSync(join(at.home, 'state/sessions'), {recursive: true, encoding: 'utf8'}).find((name) => name.endsWith('.jsonl')) ?? '';
    expect(readFileSync(join(at.home, 'state/sessions', log), 'utf8')).toContain('papaya');
  });

  it('what cannot be kept is said and done; with checkpoints.keep = "required" it is not done', async () => {
    const replies = [{toolCalls: [edit('a.txt', 'one', 'two')]}, {text: 'Done.'}];
    const at = await place({'a.txt': 'one\n'});
    mkdirSync(join(at.home, 'state'));
    writeFileSync(join(at.home, 'state/checkpoints'), 'in the way');
    const run = await fettle(at, ['exec', ...(await scripted(replies)), 'go']);
    expect([run.code, readFileSync(join(at.work, 'a.txt'), 'utf8')]).toEqual([0, 'two\n']);
    expect(run.stderr).toContain('undo: A change cannot be undone:');

    const strict = await place({'a.txt': 'one\n'}, '[checkpoints]\nkeep = "required"\n');
    mkdirSync(join(strict.home, 'state'));
    writeFileSync(join(strict.home, 'state/checkpoints'), 'in the way');
    const stopped = await fettle(strict, ['exec', ...(await scripted(replies)), 'go']);
    expect(readFileSync(join(strict.work, 'a.txt'), 'utf8')).toBe('one\n');
    expect(stopped.stderr).toContain('Not done, because it could not be undone');
  });

  it('with keep = "off" nothing is kept', async () => {
    const at = await place({'a.txt': 'one\n'}, '[checkpoints]\nkeep = "off"\n');
    await fettle(at, ['exec', ...(await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {text: 'Done.'}])), 'go']);
    expect([readFileSync(join(at.work, 'a.txt'), 'utf8'), readdirSync(join(at.home, 'state')).includes('checkpoints')]).toEqual([
      'two\n',
      false,
    ]);
  });

  it('where the workspace is the home folder commands are not covered, which is said; file tools are', async () => {
    const at = await place({'a.txt': 'one\n', 'b.txt': '1'});
    const home = {...at, env: {...at.env, HOME: at.work}};
    const model = await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {toolCalls: [bash('rm b.txt')]}, {text: 'Done.'}]);
    await fettle(home, ['exec', ...model, 'go']);
    const [done] = await listed(home);
    expect([done?.changed, done?.notes]).toEqual([
      ['a.txt'],
      ['What commands change is not covered: the workspace holds the home folder; start in a project.'],
    ]);
  });

  it.each([
    [['checkpoints', 'restore', 'nothing'], 2, 'There is no checkpoint nothing of this folder.'],
    [['checkpoints', 'restore', 'x', '--files', '--both'], 2, '--files, --conversation and --both exclude each other.'],
    [['checkpoints', 'restore', 'x', 'a', '--both'], 2, 'Single files can be restored without the conversation only.'],
    [['checkpoints', 'diff', 'x', '../a'], 1, '../a is outside of'],
  ])('%s', async (args, code, message) => {
    const run = await fettle(await place(), args);
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr).toContain(message);
  });
});

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
          expect([resumed.stderr.includes('There is no session'), treeOf(at.work)], where).toEqual([true, before]);
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
