import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import type {Answer, Question} from '../../../src/code/index/messages.ts';
import {killedWithTest} from '../../support/processes.ts';
import {scratch} from '../../support/scratch.ts';
import {dumpIndex, updateFiles} from '../index-files.ts';

/** `FETTLE_KILLS=100` for all that the issue asks for. */
const KILLS = Number(process.env['FETTLE_KILLS'] ?? 10);
const ENTRY = fileURLToPath(new URL('../../../src/code/index/index-process.ts', import.meta.url));

/** So many that threads share what the names of files mean, too. */
const FILES = 700;
const files = Object.fromEntries(
  Array.from({length: FILES}, (_, n) => {
    const other = (n * 11 + 1) % FILES;
    const text = `import {f${other}} from './f${other}.ts';\nexport class C${n} { m${n}() { return f${other}(); } }\nexport function f${n}() { return new C${n}().m${n}(); }\n`;
    return [`src/f${n}.ts`, text];
  }),
);

function start(root: string, database: string): ChildProcess {
  const child = spawn(process.execPath, ['--liftoff-only', ENTRY], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  killedWithTest(child);
  child.send({is: 'open', root, database, rebuild: false} satisfies Question);
  child.send({is: 'fresh', id: 1} satisfies Question);
  return child;
}

async function finished(child: ChildProcess): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    child.on('message', (answer: Answer) => {
      if (answer.is !== 'progress') resolve(answer);
    });
    child.on('exit', () => reject(new Error('It has ended.')));
  });
}

/** Kills when what is written has grown to that many bytes: of equal parts of a build each is hit once. */
async function killAt(child: ChildProcess, database: string, bytes: number): Promise<void> {
  const exited = once(child, 'exit');
  const look = setInterval(() => {
    if (written(database) >= bytes) child.kill('SIGKILL');
  }, 1);
  child.on('message', (answer: Answer) => void (answer.is === 'done' && child.kill('SIGKILL')));
  await exited;
  clearInterval(look);
}

function written(database: string): number {
  return ['', '-wal'].reduce((sum, end) => sum + (existsSync(database + end) ? statSync(database + end).size : 0), 0);
}

describe('a build that is killed (issue: kill at random during build 100 times: index opens, finishes, equals a fresh build)', () => {
  it(`${KILLS} times, each time a little later`, {timeout: 60_000 + KILLS * 6000}, async () => {
    const root = await scratch(files);
    const expected = join(await scratch(), 'expected.sqlite');
    await updateFiles(root, expected);
    const [whole, states] = [dumpIndex(expected), new Set<string>()];
    for (let kill = 0; kill < KILLS; kill++) {
      const database = join(await scratch(), 'killed.sqlite');
      await killAt(start(root, database), database, (written(expected) * kill) / KILLS);
      states.add(String(dumpIndex(database).length)); // it opens
      await updateFiles(root, database);
      expect(dumpIndex(database)).toEqual(whole);
    }
    expect(states.size).toBeGreaterThan(2); // else it was killed before or after the build only
  });

  it('two at once: one builds, the other waits, and both have the whole', async () => {
    const root = await scratch(files);
    const database = join(await scratch(), 'both.sqlite');
    const both = [start(root, database), start(root, database)];
    expect(await Promise.all(both.map(finished))).toEqual([
      {is: 'done', id: 1, said: undefined},
      {is: 'done', id: 1, said: undefined},
    ]);
    const expected = join(await scratch(), 'expected.sqlite');
    await updateFiles(root, expected);
    expect(dumpIndex(database)).toEqual(dumpIndex(expected));
  });
});
