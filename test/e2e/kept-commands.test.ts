import {once} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {fettle, modelServer, place, start, type Place} from './support.ts';

/** What is left behind: a command that is kept, one that is not, and a daemon that has forked twice and left its session. */
const KEPT = 'echo $$ > kept; until [ -e go ]; do sleep 0.02; done; echo late; sleep 600';
const LEFT = 'echo $$ > left; (setsid bash -c "echo \\$\\$ > daemon; exec sleep 600" </dev/null >/dev/null 2>&1 &) & sleep 600';
const starting = (command: string, keep = false) => ({toolCalls: [{name: 'start_command', arguments: {command, keep, wait_ms: 400}}]});

async function pidIn(at: Place, file: string): Promise<number> {
  const text = async (): Promise<string> => await readFile(join(at.work, file), 'utf8').catch(() => '');
  await expect.poll(text, {timeout: 10_000}).toMatch(/^\d+\n$/);
  const pid = Number(await text());
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  });
  return pid;
}

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') Z');
  return !/\) [ZX]/.test(stat);
}

describe.runIf(process.platform === 'linux')('what survives a run', () => {
  it('exec: only what was kept, by a rule of its own; it is listed on stderr with its pid, and goes on', async () => {
    const server = await modelServer([starting(LEFT), starting(KEPT, true), {text: 'Done.'}]);
    const at = await place({}, `${server.config}\n[permissions]\nallow = ["bash", "keep"]\n`);
    const done = await fettle(at, ['exec', 'go']);
    const [kept, left, daemon] = [await pidIn(at, 'kept'), await pidIn(at, 'left'), await pidIn(at, 'daemon')];
    expect([done.code, await Promise.all([kept, left, daemon].map(isAlive))]).toEqual([0, [true, false, false]]);
    const [, file = ''] = /its output: (\S+); to end it: kill -- -\d+$/m.exec(done.stderr) ?? [];
    expect(done.stderr.split('\n').filter((line) => line.startsWith('Kept running'))).toEqual([`Kept running: pid ${kept}: ${KEPT}`]);
    expect(done.stderr.split('\n').filter((line) => line.startsWith('Ended with'))).toEqual([`Ended with the run: ${LEFT}`]);
    await writeFile(join(at.work, 'go'), '');
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toBe('late\n');
    expect(await isAlive(kept)).toBe(true);
  });

  it('without a rule nothing is kept: the call is denied, and the exit code says so', async () => {
    const server = await modelServer([starting(KEPT, true), {text: 'It cannot be kept.'}]);
    const at = await place({}, `${server.config}\n[permissions]\nallow = ["bash"]\n`);
    const done = await fettle(at, ['exec', 'go']);
    expect([done.code, JSON.stringify(server.requests[1]?.body)]).toEqual([
      3,
      expect.stringContaining('it keeps running after the session'),
    ]);
    await expect(readFile(join(at.work, 'kept'))).rejects.toMatchObject({code: 'ENOENT'});
  });

  it('when Fettle is killed, nothing is kept: nobody would have said that it runs', async () => {
    const server = await modelServer([starting(KEPT, true), {text: 'Never told.', stallAfter: 0}]);
    const at = await place({}, `${server.config}\n[permissions]\nallow = ["bash", "keep"]\n`);
    const child = start(at, ['exec', 'go']);
    const kept = await pidIn(at, 'kept');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => isAlive(kept), {timeout: 10_000}).toBe(false);
  });

  it('tools call: the same; --json has the notes that the text has', async () => {
    const at = await place();
    const called = await fettle(at, [
      'tools',
      'call',
      'start_command',
      JSON.stringify({command: KEPT, keep: true, wait_ms: 300, speed: 1}),
      '--json',
    ]);
    const kept = await pidIn(at, 'kept');
    const {result, notes} = JSON.parse(called.stdout) as {result: {kept: boolean}; notes: string[]};
    expect([called.code, result.kept, await isAlive(kept)]).toEqual([0, true, true]);
    expect(notes).toEqual([expect.stringMatching(/^unknown parameter "speed" was ignored/)]);
    expect(called.stderr).toContain(`Kept running: pid ${kept}: `);
  });
});
