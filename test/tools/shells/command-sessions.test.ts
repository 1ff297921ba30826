import {readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import type {CommandSession, SessionView} from '../../../src/tools/shells/command-session.ts';
import {createCommandSessions, type CommandSessions} from '../../../src/tools/shells/command-sessions.ts';
import {scratch} from '../../support/scratch.ts';

const LIMITS = {timeoutMs: 60_000, capture: {headBytes: 1000, tailBytes: 1000}};
const TERMINAL = {columns: 80, rows: 24, timeoutMs: 60_000};
/** A trap runs when `read` is interrupted, and that it is with a time limit only. */
const WAITS = 'trap "stty size" WINCH; read -rp "name? " n; echo "hi $n"; while :; do read -r -t 600 _; done';
const never = new AbortController().signal;

async function open(): Promise<{sessions: CommandSessions; root: string}> {
  const root = await scratch();
  const spoolDir = join(root, 'spool');
  const sessions = createCommandSessions({exec: createExecEnvironment({cwd: root, spoolDir, env: process.env}), spoolDir});
  onTestFinished(async () => void (await sessions.endAll()));
  return {sessions, root};
}

const piped = (shell: string, keep = false) => ({command: shell, spec: {shell, ...LIMITS}, keep});

/** Runs, and is not a zombie that nobody has waited for. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && !/\) [ZX]/.test(stat);
}

async function seen(session: CommandSession, signal = never): Promise<SessionView> {
  const watching = session.watch(signal);
  if (!(Symbol.asyncIterator in watching)) return await watching;
  for (;;) {
    const step = await watching.next();
    if (step.done === true) return step.value;
  }
}

async function written(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}

describe.runIf(process.platform === 'linux')('the commands of a thread that go on', () => {
  it('run side by side, with and without a terminal, and end with everything they started', async () => {
    const {sessions, root} = await open();
    const begin = (name: string): string => `sleep 60 & echo $! > ${name}; wait`;
    const [plain, drawn] = [
      await sessions.start(piped(begin('one'))),
      await sessions.open({command: `trap '' HUP TERM; ${begin('two')}`, ...TERMINAL}),
    ];
    await expect.poll(async () => (await Promise.all(['one', 'two'].map((name) => written(join(root, name))))).every(Boolean)).toBe(true);
    const children = await Promise.all(['one', 'two'].map(async (name) => Number(await written(join(root, name)))));
    const pids = [plain.pid, drawn.pid, ...children];
    expect(sessions.list().map(({id, isKept, ended}) => [id, isKept, ended()])).toEqual([
      ['s1', false, undefined],
      ['t1', false, undefined],
    ]);
    expect(await Promise.all(pids.map(isAlive))).toEqual([true, true, true, true]);
    expect(await sessions.endAll()).toEqual([]);
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false, false, false]);
    expect([plain.ended(), drawn.ended()]).toMatchObject([{cancelled: true}, {cancelled: true}]);
  });

  it('also what has left group, session and parent: a double-forked daemon', async () => {
    const {sessions, root} = await open();
    await sessions.start(piped('(setsid bash -c "echo \\$\\$ > daemon; exec sleep 600" </dev/null >/dev/null 2>&1 &) & sleep 600'));
    await expect.poll(() => written(join(root, 'daemon'))).not.toBe('');
    const daemon = Number(await written(join(root, 'daemon')));
    expect(await isAlive(daemon)).toBe(true);
    await sessions.endAll();
    expect(await isAlive(daemon)).toBe(false);
  });

  it('tell what they have written since the last look, and how they ended', async () => {
    const {sessions} = await open();
    const session = await sessions.start(piped('echo out; echo err >&2; exit 4'));
    expect(await seen(session)).toEqual({output: expect.stringMatching(/^(?:out\nerr|err\nout)\n$/), dropped: 0, screen: undefined});
    expect(session.ended()).toMatchObject({exitCode: 4, cancelled: false});
    expect(await seen(session)).toEqual({output: '', dropped: 0, screen: undefined});
    await expect(session.write('x')).rejects.toMatchObject({code: 'UNAVAILABLE', message: 'Session "s1" has no terminal to type into.'});
  });

  it('ten of both kinds together, those that are starting included; the error names them; one that ends makes room', async () => {
    const {sessions} = await open();
    const starts = Array.from({length: 12}, (_, index) =>
      index % 2 === 0
        ? sessions.start(piped(`sleep 60 # ${index}`))
        : sessions.open({command: `sleep 60 # ${'x'.repeat(100)}`, ...TERMINAL}),
    );
    const ends = await Promise.allSettled(starts);
    expect(ends.map(({status}) => status)).toEqual([...Array.from({length: 10}, () => 'fulfilled'), 'rejected', 'rejected']);
    const names = sessions.list().map(({id, command}) => `${id} (${command.slice(0, 60)})`);
    await expect(sessions.start(piped('true'))).rejects.toMatchObject({
      code: 'LIMIT',
      message: `10 sessions are already running: ${names.join(', ')}.`,
      hint: 'Close one that is no longer needed.',
    });
    await sessions.find('s3').end();
    expect((await sessions.start(piped('sleep 60'))).id).toBe('s6');
  });

  it('that cannot be started are errors, take no name and no room', async () => {
    const {sessions} = await open();
    const missing = {command: 'x', spec: {program: 'no-such-program-here', args: [], ...LIMITS}};
    for (let tries = 0; tries < 11; tries += 1) {
      await expect(sessions.start(missing)).rejects.toMatchObject({code: 'UNAVAILABLE'});
      await expect(sessions.open({command: 'x', cwd: 'none', ...TERMINAL})).rejects.toMatchObject({code: 'NOT_FOUND'});
    }
    expect((await sessions.start(piped('true'))).id).toBe('s1');
  });

  it('an unknown one: the error names those that there are', async () => {
    const {sessions} = await open();
    const find = (): unknown => sessions.find('s9');
    expect(find).toThrow(expect.objectContaining({code: 'NOT_FOUND', hint: 'No command was started in the background.'}));
    await sessions.start(piped('true'));
    expect(find).toThrow(expect.objectContaining({code: 'NOT_FOUND', hint: 'Sessions: s1.'}));
  });

  it('with a terminal: the screen, typing, resizing', async () => {
    const {sessions} = await open();
    const session = await sessions.open({command: WAITS, ...TERMINAL});
    expect((await seen(session)).screen?.lines).toEqual(['name? ']);
    await session.write('you\n');
    expect((await seen(session)).screen?.lines).toEqual(['name? you', 'hi you']);
    session.resize({rows: 10});
    const {screen} = await seen(session);
    expect([screen?.lines.at(-1), screen?.columns, screen?.rows]).toEqual(['10 80', 80, 10]);
    await session.end();
    expect((await seen(session)).screen?.lines.at(-1)).toBe('10 80');
    await expect(session.write('x')).rejects.toMatchObject({code: 'UNAVAILABLE', message: 'Session t1 has ended.'});
  });
});

describe.runIf(process.platform === 'linux')('a command that is kept', () => {
  it('is told of at the end of the thread, goes on, and writes into a file that only its owner may read', async () => {
    const {sessions, root} = await open();
    const line = 'echo early; until [ -e go ]; do sleep 0.02; done; echo late; echo wrong >&2; touch done; sleep 600';
    const kept = await sessions.start(piped(line, true));
    const other = await sessions.start(piped('sleep 600'));
    const enough = new AbortController();
    const first = await kept.watch(enough.signal).next();
    enough.abort();
    expect(first.value).toEqual({type: 'output', stream: 'stdout', text: 'early\n'});
    onTestFinished(() => void process.kill(-kept.pid, 'SIGKILL'));
    const outputFile = join(root, 'spool', `kept-${kept.pid}.log`);
    expect(await sessions.endAll()).toEqual([{pid: kept.pid, command: line, outputFile}]);
    expect([await isAlive(kept.pid), await isAlive(other.pid)]).toEqual([true, false]);
    // It is not ended by its next write.
    await writeFile(join(root, 'go'), '');
    await expect.poll(() => stat(join(root, 'done')).then(Boolean, () => false), {timeout: 5000}).toBe(true);
    await expect.poll(async () => (await written(outputFile)).split('\n').toSorted()).toEqual(['', 'late', 'wrong']);
    expect((await stat(outputFile)).mode & 0o777).toBe(0o600);
    expect(await isAlive(kept.pid)).toBe(true);
  });

  it('that has ended before is not told of; one that is closed ends', async () => {
    const {sessions} = await open();
    const [over, closed] = [await sessions.start(piped('true', true)), await sessions.start(piped('sleep 600', true))];
    await seen(over);
    await closed.end();
    expect([await sessions.endAll(), await isAlive(closed.pid)]).toEqual([[], false]);
  });
});
