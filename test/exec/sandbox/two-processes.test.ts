import {fork, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, watch} from 'node:fs';
import {join, relative} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {Order} from './other-process.ts';
import {git, missingSandbox} from './support.ts';
import {scratch} from '../../support/scratch.ts';

const missing = await missingSandbox();
if (missing !== undefined) describe.skip(`sandbox: skipped: ${missing}`, () => it('needs it', () => undefined));

interface Other {
  readonly process: ChildProcess;
  tell(order: Order): Promise<unknown>;
}

async function others(count: number): Promise<{root: string; outside: string; state: string; all: readonly Other[]}> {
  const [root, outside, state] = await Promise.all([scratch({'a.txt': 'one\n'}), scratch({'b.txt': 'two\n'}), scratch()]);
  git(root, 'init', '-q', '-b', 'main');
  const all = await Promise.all(Array.from({length: count}, () => start(root, state)));
  return {root, outside, state, all};
}

async function start(root: string, state: string): Promise<Other> {
  const child = fork(join(import.meta.dirname, 'other-process.ts'), [root, state], {execArgv: []});
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await once(child, 'message');
  return {
    process: child,
    async tell(order) {
      const answer = once(child, 'message');
      child.send(order);
      return (await answer)[0];
    },
  };
}

describe.skipIf(missing !== undefined)('two processes with commands in one folder', () => {
  it('what a command of one has made is in no mount of the other: it could be a link by then (CVE-2026-39861)', async () => {
    const {root, outside, all} = await others(2);
    const [one, two] = all;
    await one?.tell({do: 'wrap', line: 'true'});
    mkdirSync(join(root, 'z/.circleci'), {recursive: true});
    await two?.tell({do: 'wrap', line: `(echo escaped > ${outside}/b.txt) 2>&1 || echo held`});
    renameSync(join(root, 'z'), join(root, 'z-moved'));
    mkdirSync(join(outside, '.circleci'));
    symlinkSync(relative(root, outside), join(root, 'z'));
    const said = await two?.tell({do: 'run'});
    await one?.tell({do: 'release'});
    await two?.tell({do: 'release'});
    expect([String(said).endsWith('held\n'), readFileSync(join(outside, 'b.txt'), 'utf8')]).toEqual([true, 'two\n']);
  });

  it('what was put into the workspace stays until the last of them has ended, in whatever order they end', async () => {
    const {root, state, all} = await others(2);
    const [one, two] = all;
    const standing: (number | undefined)[] = [];
    const look = (): void => void standing.push(lstatSync(join(root, '.vscode'), {throwIfNoEntry: false})?.ino);
    await one?.tell({do: 'wrap', line: 'true'});
    look();
    await two?.tell({do: 'wrap', line: 'true'});
    await one?.tell({do: 'release'});
    look();
    await one?.tell({do: 'wrap', line: 'true'});
    await two?.tell({do: 'release'});
    look();
    await one?.tell({do: 'release'});
    look();
    const [first] = standing;
    expect(first).toBeTypeOf('number');
    expect([standing, readdirSync(root), foundIn(state)]).toEqual([[first, first, first, undefined], ['.git', 'a.txt'], []]);
  });

  it('a process that is killed is noticed, its command has ended, and what it left is cleaned up', async () => {
    const {root, state, all} = await others(2);
    const [one, two] = all;
    await one?.tell({do: 'wrap', line: 'mkdir -p sub/.vscode; echo > started; while :; do echo x > sub/.vscode/tasks.json; done'});
    one?.process.send({do: 'run'});
    while (!existsSync(join(root, 'started'))) await new Promise((resolve) => setImmediate(resolve));
    one?.process.kill('SIGKILL');
    if (one !== undefined) await once(one.process, 'exit');
    await two?.tell({do: 'wrap', line: 'true'});
    const notes = await two?.tell({do: 'release'});
    expect([
      String(notes).replace(/mv -T .*/, 'mv'),
      existsSync(join(root, 'sub/.vscode')),
      readdirSync(root).sort(),
      foundIn(state),
    ]).toEqual([
      'sub/.vscode was set aside: other programs load it. A person brings it back with: mv',
      false,
      ['.git', 'a.txt', 'started', 'sub'],
      [],
    ]);
  });

  it('what somebody has moved since is in no mount: its path leads elsewhere by then', async () => {
    const {root, outside, all} = await others(2);
    const [one, two] = all;
    mkdirSync(join(root, 'z/y/.circleci'), {recursive: true});
    mkdirSync(join(outside, 'y/.circleci'), {recursive: true});
    await one?.tell({do: 'wrap', line: 'true'});
    renameSync(join(root, 'z'), join(root, 'z-moved'));
    symlinkSync(outside, join(root, 'z'));
    await two?.tell({do: 'wrap', line: `(echo escaped > ${outside}/y/new.txt) 2>/dev/null || echo held`});
    const said = await two?.tell({do: 'run'});
    await one?.tell({do: 'release'});
    await two?.tell({do: 'release'});
    expect([said, readdirSync(join(outside, 'y'))]).toEqual(['held\n', ['.circleci']]);
  });

  it('who is killed while places are made for mounts leaves none of them behind', async () => {
    const {root, state, all} = await others(2);
    const [one, two] = all;
    const made = new Promise<void>((resolve) => {
      const watcher = watch(root, () => (watcher.close(), resolve()));
      onTestFinished(() => watcher.close());
    });
    one?.process.send({do: 'wrap', line: 'true'});
    await made;
    one?.process.kill('SIGKILL');
    if (one !== undefined) await once(one.process, 'exit');
    await two?.tell({do: 'wrap', line: 'true'});
    await two?.tell({do: 'release'});
    expect([readdirSync(root).sort(), foundIn(state)]).toEqual([['.git', 'a.txt'], []]);
  });

  it('a command that tries all the time finds no moment, while those of the other begin and end', async () => {
    const {root, outside, all} = await others(2);
    const [one, two] = all;
    const attack = `
while [ ! -e stop ]; do
  for name in .vscode .husky .claude; do mkdir $name && echo evil > $name/evil; done
  echo evil > .mcp.json; echo evil > .git/commondir; echo evil > .git/config
  rm -rf z; mkdir -p z/.vscode; mv z z2; ln -s ${relative(root, outside)} z; rm -rf z z2
done 2>/dev/null`;
    await one?.tell({do: 'wrap', line: attack});
    const done = one?.tell({do: 'run'});
    const said: unknown[] = [];
    for (let round = 0; round < 12; round += 1) {
      await two?.tell({
        do: 'wrap',
        line: `(echo escaped > ${outside}/b.txt) 2>/dev/null || echo held; test $(ls -A .vscode .husky | wc -l) = 3 || ls -A .vscode .husky`,
      });
      said.push(await two?.tell({do: 'run'}));
      await two?.tell({do: 'release'});
    }
    await two?.tell({do: 'wrap', line: 'echo > stop'});
    await two?.tell({do: 'run'});
    await done;
    await one?.tell({do: 'release'});
    const before = existsSync(join(root, '.vscode'));
    await two?.tell({do: 'release'});
    expect([new Set(said), readFileSync(join(outside, 'b.txt'), 'utf8'), before]).toEqual([new Set(['held\n']), 'two\n', true]);
    expect(
      readdirSync(root)
        .filter((name) => !name.startsWith('z'))
        .sort(),
    ).toEqual(['.git', 'a.txt', 'stop']);
  });
});

function foundIn(state: string): string[] {
  return readdirSync(join(state, 'sandbox'), {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('found.json'));
}
