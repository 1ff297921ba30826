import {spawn, type ChildProcess} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {afterAll, onTestFinished} from 'vitest';
import type {Finished, Place} from './support.ts';

const CHILD = join(import.meta.dirname, 'shared-process-child.mjs');

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

afterAll(async () => {
  if (child?.connected !== true) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
});

/**
 * The built command, with nothing on stdin, in one process for all calls of a test file: for cases that differ in what models and tools
 * do. Signals, terminals, stdin, how a process ends and what it forgets need `fettle`.
 */
export async function sharedFettle(at: Place, args: readonly string[]): Promise<Finished> {
  const done = last.then(() => run(at, args));
  let isDone = false;
  last = done.then(
    () => (isDone = true),
    () => (isDone = true),
  );
  // What hangs fails one test, and not those behind it.
  onTestFinished(() => void (isDone || child?.kill('SIGKILL')));
  return await done;
}

async function run(at: Place, args: readonly string[]): Promise<Finished> {
  const {work, env} = at;
  if (child?.connected !== true)
    child = spawn(process.execPath, [CHILD], {cwd: '/', env: withoutPlace(at), stdio: ['ignore', 'pipe', 'pipe', 'ipc']});
  const {stdout, stderr} = child;
  if (stdout === null || stderr === null) throw new Error('The child has no pipes.');
  const mark = `end of ${randomUUID()}: `;
  const texts = Promise.all([until(mark, stdout), until(mark, stderr)]);
  child.send({args, cwd: work, env, mark});
  const [out, err] = await texts;
  return {code: out.code, stdout: out.text, stderr: err.text};
}

/** It outlives the first place, whose processes end with the test: nothing may say that it is one of them. */
function withoutPlace({work, home, env}: Place): Place['env'] {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => !value.includes(work) && !value.includes(home)));
}

/** What comes before a mark, and the exit code behind it. */
async function until(mark: string, stream: Readable): Promise<{readonly text: string; readonly code: number}> {
  stream.setEncoding('utf8');
  let text = '';
  for await (const piece of stream.iterator({destroyOnReturn: false})) {
    text += String(piece);
    const at = text.endsWith('\n') ? text.lastIndexOf(mark) : -1;
    if (at >= 0) return {text: text.slice(0, at), code: Number(text.slice(at + mark.length))};
  }
  throw new Error(`The shared process has ended. It said:\n${text}`);
}
