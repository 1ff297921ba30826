import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {finished, modelServer, place, start} from './support.ts';

describe('signals', () => {
  it('Ctrl-C cancels the turn: exit code 130, the request is cut, the session is closed', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await modelServer([() => (asked.resolve(), {text: 'slow', stallAfter: 1})]);
    const at = await place({}, server.config);
    const child = start(at, ['exec', '--json', 'hi']);
    const end = finished(child);
    await asked.promise;
    child.kill('SIGINT');
    const {code, stdout, stderr} = await end;
    expect(code).toBe(130);
    expect(stderr).toContain('Cancelling. Press Ctrl-C again to end at once.');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as {type: string}).type)
        .slice(-2),
    ).toEqual(['turn.failed', 'thread.completed']);
  });

  it('a second Ctrl-C ends a process that is stuck in a command, and the command with it', async () => {
    const server = await modelServer([
      {toolCalls: [{name: 'bash', arguments: {command: 'trap "" INT TERM; echo "pid $$"; while :; do sleep 600; done'}}]},
    ]);
    const at = await place({}, server.config);
    const child = start(at, ['exec', '--json', '--mode', 'full-auto', '--no-sandbox', '--allow', 'bash:*', 'hi']);
    const seen = Promise.withResolvers<number>();
    child.stdout?.on('data', (chunk: Buffer) => {
      const pid = /"delta":"pid (\d+)/.exec(chunk.toString())?.[1];
      if (pid !== undefined) seen.resolve(Number(pid));
    });
    const end = finished(child);
    const pid = await seen.promise;
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect((await end).code).toBe(130);
    await expect.poll(() => isAlive(pid), {timeout: 10_000}).toBe(false);
  });

  it('SIGTERM cancels like Ctrl-C', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await modelServer([() => (asked.resolve(), {text: 'slow', stallAfter: 1})]);
    const child = start(await place({}, server.config), ['exec', 'hi']);
    const end = finished(child);
    await asked.promise;
    child.kill('SIGTERM');
    expect((await end).code).toBe(130);
  });
});

/** A process that ended and was not waited for is not alive. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') Z');
  return !/\) [ZX]/.test(status);
}
