import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../src/base/json.ts';
import type {ScriptedReply} from '../../src/testing/index.ts';
import {eventsOf, fettle, modelServer, place} from './support.ts';

const ASKS = 'echo $$ > pid; read -rp "name? " name; echo "hello $name"; sleep 600';
const session = (args: JsonObject): ScriptedReply => ({
  toolCalls: [{name: 'exec_session', arguments: {session_id: 't1', ...args}}],
});

describe('vtcode architecture › CommandTool: "PTY session management for interactive commands", through the built command', () => {
  it('start, write, poll, close', async () => {
    const server = await modelServer([
      {toolCalls: [{name: 'exec_command', arguments: {command: ASKS, mode: 'pty'}}]},
      session({action: 'write', input: 'you\n'}),
      session({action: 'poll', yield_time_ms: 250}),
      session({action: 'close'}),
      {text: 'Done.'},
    ]);
    const at = await place({}, server.config);
    const done = await fettle(at, ['exec', '--json', '--toolset', 'vtcode', '--mode', 'full-auto', '--no-sandbox', 'hi']);
    expect([done.code, done.stderr]).toEqual([0, expect.stringMatching(/^There is no sandbox in this full-auto session: .*\n$/)]);
    const request = JSON.stringify(server.requests.at(-1)?.body).replaceAll(/\d+\.\d s/g, 'N s');
    const screens = [...request.matchAll(/"content":"(name\?[^"]*)"/g)].map(([, text]) => text);
    const NEXT = 'look again with exec_session poll, or write]';
    expect(screens).toEqual([
      `name?\\n[session t1 runs for N s; cursor at line 1, column 7; ${NEXT}`,
      `name? you\\nhello you\\n[session t1 runs for N s; cursor at line 3, column 1; ${NEXT}`,
      `name? you\\nhello you\\n[session t1 runs for N s; cursor at line 3, column 1; ${NEXT}`,
      'name? you\\nhello you\\n[session t1 ended after N s; exit code none (cancelled; everything it started was killed)]',
    ]);
    await expectGone(at.work);
  });

  it('the end of the thread ends what was left open', async () => {
    const server = await modelServer([{toolCalls: [{name: 'exec_command', arguments: {command: ASKS, mode: 'pty'}}]}, {text: 'Done.'}]);
    const at = await place({}, server.config);
    const done = await fettle(at, ['exec', '--json', '--toolset', 'vtcode', '--mode', 'full-auto', '--no-sandbox', 'hi']);
    expect(done.code).toBe(0);
    expect(eventsOf(done).at(-1)).toMatchObject({type: 'thread.completed'});
    await expectGone(at.work);
  });
});

/** A process that ended and was not waited for is gone. */
async function expectGone(work: string): Promise<void> {
  const pid = (await readFile(join(work, 'pid'), 'utf8')).trim();
  expect(Number(pid)).toBeGreaterThan(1);
  const alive = async (): Promise<boolean> => !/\) [ZX]/.test(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') Z'));
  await expect.poll(alive).toBe(false);
}
