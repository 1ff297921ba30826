import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {acquireWriterLock} from '../../src/sessions/writer-lock.ts';
import {storePlace} from '../../src/workspace/checkpoints/store/store-place.ts';
import {scratch} from '../support/scratch.ts';
import {treeOf} from '../workspace/checkpoints/support.ts';
import {fettle, finished, place, start, type Place} from './support.ts';

async function scripted(replies: readonly object[]): Promise<readonly string[]> {
  const folder = await scratch({'script.json': JSON.stringify({replies})});
  return ['--model', `script:${join(folder, 'script.json')}`, '--mode', 'full-auto', '--no-sandbox', '--allow', 'bash:*'];
}

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly kind: string;
  readonly notes: readonly string[];
}

async function listed(at: Place): Promise<Listed[]> {
  return JSON.parse((await fettle(at, ['checkpoints', 'list', '--json'])).stdout) as Listed[];
}

const write = (path: string, content: string): object => ({name: 'write', arguments: {path, content, overwrite: true}});
const files = Object.fromEntries(Array.from({length: 30}, (_, n) => [`f${n}.txt`, `old ${n}\n`]));
const writes = Object.keys(files).map((path) => write(path, `new ${path}\n`));
const allNew = [{toolCalls: writes.slice(0, 10)}, {toolCalls: writes.slice(10, 20)}, {toolCalls: writes.slice(20)}, {text: 'Done.'}];

/** A run that has changed `held.txt` and now waits in a command, until `release`. */
async function heldRun(at: Place): Promise<{release: () => Promise<number | null>; kill: () => Promise<void>}> {
  const gates = await scratch();
  const gate = join(gates, 'gate');
  execFileSync('mkfifo', [gate]);
  const bash = {name: 'bash', arguments: {command: `cat ${gate} > /dev/null; echo late > late.txt`}};
  const model = await scripted([{toolCalls: [write('held.txt', 'new\n')]}, {toolCalls: [bash]}, {text: 'Done.'}]);
  const child = start(at, ['exec', '--json', ...model, 'go']);
  const end = finished(child);
  const {stdout} = child;
  if (stdout === null) throw new Error('The child has no pipes.');
  let seen = '';
  while (!seen.includes(gate)) seen += String((await once(stdout, 'data'))[0]);
  return {
    async release() {
      writeFileSync(gate, 'go');
      return (await end).code;
    },
    async kill() {
      child.kill('SIGKILL');
      await end;
    },
  };
}

describe('undo by several processes at once (issue 4.2)', () => {
  it('the same checkpoint restored by three: the tree is the old one, one restore was made, no record is damaged', async () => {
    const at = await place(files);
    const before = treeOf(at.work);
    await fettle(at, ['exec', ...(await scripted(allNew)), 'go']);
    const id = (await listed(at))[0]?.id ?? '';
    const runs = await Promise.all([1, 2, 3].map(() => fettle(at, ['checkpoints', 'restore', id])));
    const said = runs.map(({code, stderr}) => `${code} ${stderr.split('\n')[0] ?? ''}`).sort();
    expect(said).toEqual([
      '0 Everything is as it was already.',
      '0 Everything is as it was already.',
      '0 Restored 30 entries to before "go".',
    ]);
    expect(treeOf(at.work)).toEqual(before);
    expect((await listed(at)).map(({kind, state, notes}) => [kind, state, notes])).toEqual([
      ['restore', 'redo', []],
      ['turn', 'undone', []],
    ]);
  });

  it('undo and redo at once: one after the other, never a mixture', async () => {
    const at = await place(files);
    const before = treeOf(at.work);
    await fettle(at, ['exec', ...(await scripted(allNew)), 'go']);
    const after = treeOf(at.work);
    const turn = (await listed(at))[0]?.id ?? '';
    await fettle(at, ['checkpoints', 'restore', turn]);
    const redo = (await listed(at))[0]?.id ?? '';
    const runs = await Promise.all([redo, turn].map((id) => fettle(at, ['checkpoints', 'restore', id])));
    expect(runs.map(({code}) => code)).toEqual([0, 0]);
    expect([before, after]).toContainEqual(treeOf(at.work));
  });

  it('listing while a restore runs leaves its record alone', async () => {
    const at = await place(files);
    const before = treeOf(at.work);
    await fettle(at, ['exec', ...(await scripted(allNew)), 'go']);
    const id = (await listed(at))[0]?.id ?? '';
    const [restored] = await Promise.all([fettle(at, ['checkpoints', 'restore', id]), listed(at), listed(at), listed(at)]);
    expect([restored.code, restored.stderr.split('\n')[0]]).toEqual([0, 'Restored 30 entries to before "go".']);
    expect([treeOf(at.work), (await listed(at)).map(({state}) => state)]).toEqual([before, ['redo', 'undone']]);
  });
});

describe('while another process restores in the folder (issue 4.2)', () => {
  /** The lock that a process has that restores, and what it guards: the records of what was changed. */
  async function restoring(at: Place): Promise<{done: () => void; records: () => Record<string, string>}> {
    const {folder} = storePlace(join(at.home, 'state'), at.work);
    const lock = await acquireWriterLock(join(folder, 'restore.lock'));
    onTestFinished(() => lock.release());
    const names = (): string[] => readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => !name.includes('restore.lock'));
    const isFile = (name: string): boolean => statSync(join(folder, name)).isFile();
    return {
      done: () => lock.release(),
      records: () =>
        Object.fromEntries(
          names()
            .filter(isFile)
            .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
        ),
    };
  }

  it('undo and redo change nothing and say so; afterwards they do what they were asked', async () => {
    const at = await place({'a.txt': 'old\n'});
    await fettle(at, ['exec', ...(await scripted([{toolCalls: [write('a.txt', 'new\n')]}, {text: 'Done.'}])), 'go']);
    const turn = (await listed(at))[0]?.id ?? '';
    const {done, records} = await restoring(at);
    const before = records();
    const refused = await fettle(at, ['checkpoints', 'restore', turn]);
    expect([refused.code === 0, refused.stderr.split('\n')[0]]).toEqual([
      false,
      expect.stringContaining('Another process restores files of this folder right now. Nothing was changed.'),
    ]);
    expect([treeOf(at.work), records()]).toEqual([{'a.txt': '644 new\n'}, before]);
    done();
    expect((await fettle(at, ['checkpoints', 'restore', turn])).code).toBe(0);
    expect(treeOf(at.work)).toEqual({'a.txt': '644 old\n'});
  });

  it('a list is answered, and finishes nothing that it may be writing', async () => {
    const at = await place({'held.txt': 'old\n'});
    const run = await heldRun(at);
    await run.kill();
    const {done, records} = await restoring(at);
    const before = records();
    expect((await listed(at)).length).toBe(1);
    expect(records()).toEqual(before);
    done();
    await listed(at);
    expect(records()).not.toEqual(before);
  });
});

describe('undo while a turn runs (issue 4.2)', () => {
  it('of its own session, also of one file: refused, nothing is changed; when it has ended it is undone', async () => {
    const at = await place({'held.txt': 'old\n'});
    const before = treeOf(at.work);
    const run = await heldRun(at);
    const [turn] = await listed(at);
    expect(turn?.state).toBe('running');
    for (const args of [[], ['held.txt'], ['--force'], ['--both']]) {
      const refused = await fettle(at, ['checkpoints', 'restore', turn?.id ?? '', ...args]);
      expect([refused.code === 0, refused.stderr.includes('is running: it may be changing files right now.')]).toEqual([false, true]);
    }
    expect(treeOf(at.work)).toEqual({'held.txt': '644 new\n'});
    expect(await run.release()).toBe(0);
    expect(treeOf(at.work)).toEqual({'held.txt': '644 new\n', 'late.txt': '644 late\n'});
    expect((await fettle(at, ['checkpoints', 'restore', turn?.id ?? ''])).code).toBe(0);
    expect(treeOf(at.work)).toEqual(before);
  });

  it('of another session of the folder: done, and the running turn can be undone by itself', async () => {
    const at = await place({'held.txt': 'old\n', 'other.txt': 'old\n'});
    await fettle(at, ['exec', ...(await scripted([{toolCalls: [write('other.txt', 'new\n')]}, {text: 'Done.'}])), 'first']);
    const first = (await listed(at))[0]?.id ?? '';
    const run = await heldRun(at);
    expect((await fettle(at, ['checkpoints', 'restore', first])).code).toBe(0);
    expect(treeOf(at.work)).toMatchObject({'held.txt': '644 new\n', 'other.txt': '644 old\n'});
    expect(await run.release()).toBe(0);
    expect(treeOf(at.work)).toEqual({'held.txt': '644 new\n', 'late.txt': '644 late\n', 'other.txt': '644 old\n'});
  });
});

describe('undo of undo (issue 4.2)', () => {
  it('twice goes back two turns; after a new turn the old redo is still a checkpoint that can be gone back to', async () => {
    const at = await place({'a.txt': '0'});
    for (const n of ['1', '2']) {
      const model = await scripted([{toolCalls: [write('a.txt', n)]}, {text: 'Done.'}]);
      await fettle(at, ['exec', ...(n === '1' ? [] : ['--last']), ...model, `turn ${n}`]);
    }
    const [second, first] = await listed(at);
    for (const one of [second, first]) await fettle(at, ['checkpoints', 'restore', one?.id ?? '']);
    expect(treeOf(at.work)).toEqual({'a.txt': '644 0'});
    const redo = (await listed(at)).find(({state}) => state === 'redo')?.id ?? '';
    await fettle(at, ['exec', '--last', ...(await scripted([{toolCalls: [write('a.txt', '3')]}, {text: 'Done.'}])), 'turn 3']);
    expect((await listed(at)).map(({state}) => state)).not.toContain('redo');
    await fettle(at, ['checkpoints', 'restore', redo]);
    expect(treeOf(at.work)).toEqual({'a.txt': '644 1'});
  });
});
