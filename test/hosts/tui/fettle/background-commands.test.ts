import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import type {AgentSession} from '../../../../src/hosts/tui/host-adapter.ts';
import type {LiveCommand, LiveContent} from '../../../../src/protocol/live-command.ts';
import {listSessions} from '../../../../src/sessions/session-list.ts';
import {call, fakeScreen, lastSent, never, opened, place, type FakeScreen} from './session-support.ts';

/** A session whose model has started a command that waits for a line. */
async function withCommand(): Promise<{
  readonly session: AgentSession;
  readonly port: FakeScreen;
  readonly log: () => string;
  readonly sent: () => readonly string[];
}> {
  const at = await place([
    call('start_command', {command: 'echo READY-TO-READ; read -r line; echo "got $line"; cat', pty: true}),
    {text: 'Started.'},
    {text: 'I see.'},
    {text: 'Again.'},
  ]);
  const settings = await at.settings({'--sandbox': 'off'});
  const port = fakeScreen({approve: () => ({decision: 'once'}), onBackground: (commands) => told.splice(0, told.length, ...commands)});
  const told: LiveCommand[] = [];
  const session = await opened({settings, port});
  await session.submit('start it', never);
  const file = listSessions({stateDir: settings.paths.stateDir, cwd: at.work, limit: 1})[0]?.file ?? '';
  return {session, port, log: () => readFileSync(file, 'utf8'), sent: () => lastSent(at.server)};
}

/** Resolves once a command shows the text. */
async function shows(session: AgentSession, id: string, text: string): Promise<void> {
  const found = Promise.withResolvers<void>();
  const look = (content: LiveContent): void => (JSON.stringify(content).includes(text) ? found.resolve() : undefined);
  const stop = session.background?.watch(id, look);
  await found.promise;
  stop?.();
}

const ended = ({commands}: FakeScreen): readonly unknown[] => commands.map(({id, end}) => [id, end?.cancelled]);

describe.runIf(process.platform === 'linux')('commands that go on, behind the screen', () => {
  it('are followed, typed into and ended; the model is told, and the log has nothing of it but that', async () => {
    const {session, port, log, sent} = await withCommand();
    await shows(session, 't1', 'READY-TO-READ');
    session.background?.type('t1', 'PASSWORD-OF-MINE\r');
    await shows(session, 't1', 'got PASSWORD-OF-MINE');
    await session.background?.end('t1');
    await expect.poll(() => ended(port)).toEqual([['t1', true]]);
    const before = log();
    expect(before).not.toContain('PASSWORD');
    await session.submit('what now?', never);
    const told = 'the user typed 17 keys into it; the user ended it.';
    expect(sent().filter((message) => message.includes(told))).toHaveLength(1);
    expect(log()).not.toContain('PASSWORD');
    await session.submit('and now?', never);
    expect(sent().filter((message) => message.includes(told))).toHaveLength(1);
  });

  it('are gone where the session goes on with another model', async () => {
    const {session, port} = await withCommand();
    await session.command('model', 'ollama/other', never);
    expect([port.commands, await session.command('model', 'ollama/m', never)]).toMatchObject([[], {type: 'text'}]);
    expect(() => session.background?.watch('t1', () => undefined)).toThrow(expect.objectContaining({code: 'NOT_FOUND'}));
  });
});
