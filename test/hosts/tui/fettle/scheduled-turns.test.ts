import {describe, expect, it} from 'vitest';
import type {AgentSession, CommandResult} from '../../../../src/hosts/tui/host-adapter.ts';
import {manualClock} from '../../../schedule/session/manual-clock.ts';
import {call, fakeScreen, lastSent, never, opened, place} from './session-support.ts';

const NOW = Date.parse('2026-11-23T10:00:00Z');
const MINUTE = 60_000;

const typed = async (session: AgentSession, name: string, rest = ''): Promise<CommandResult | undefined> =>
  await session.command(name, rest, never);
const firstLine = (result: CommandResult | undefined): string => (result?.type === 'text' ? (result.text.split('\n')[0] ?? '') : '');
const idIn = (text: string): string => /\b[0-9a-f]{8}\b/.exec(text)?.[0] ?? '';

describe('the schedule of a session on the screen', () => {
  it('/loop adds a task; when it is due the screen is told once and takes it; its prompt goes to the model', async () => {
    const at = await place([{text: 'The build is green.'}]);
    const [clock, port] = [manualClock(NOW), fakeScreen()];
    const session = await opened({settings: await at.settings(), port, clock});
    const id = idIn(firstLine(await typed(session, 'loop', '10m check the build')));
    clock.advance(35 * MINUTE);
    expect([port.dueCalls, session.takeDue?.(), session.takeDue?.()]).toEqual([
      1,
      {
        notice: `Scheduled task ${id} is due; it became due 3 times while the session was busy: check the build`,
        prompt: 'check the build',
        hasMore: false,
      },
      undefined,
    ]);
    const ending = await session.submit('check the build', never, 'scheduled');
    expect([ending.outcome, lastSent(at.server)]).toEqual(['success', ['user: check the build']]);
  });

  it('a line in plain language asks for a task, and no model; the prompt of a task is not read as a request', async () => {
    const at = await place([{text: 'Yes.'}]);
    const [clock, port] = [manualClock(NOW), fakeScreen()];
    const session = await opened({settings: await at.settings(), port, clock});
    const {outcome, lines} = await session.submit('every 2 hours run the tests', never);
    expect([
      outcome,
      lines.map((line) => line.replace(/\b[0-9a-f]{8}\b/, 'ID').replace(/next [-\d]+ [\d:]+:/, 'next TIME:')),
      at.server.requests.length,
    ]).toEqual([
      'success',
      [
        'Task ID, every 2 hours, next TIME: run the tests',
        'It ends with this session, at the latest after 72 hours; /schedule cancel ID ends it now.',
        'The line was taken as a request about the schedule of this session. To send it to the model instead, put "Prompt:" in front of it.',
      ],
      0,
    ]);
    await session.submit('every 2 hours run the tests', never, 'scheduled');
    expect(lastSent(at.server)).toEqual(['user: every 2 hours run the tests']);
  });

  it('what is wrong with a request is said, and no model is asked', async () => {
    const at = await place([]);
    const session = await opened({settings: await at.settings(), port: fakeScreen(), clock: manualClock(NOW)});
    expect(await session.submit('every 2 days run the tests', never)).toEqual({
      outcome: 'failed',
      lines: [
        'A task of a session repeats at least once a day. For longer intervals add a durable job: fettle schedule add --every … --prompt …',
      ],
    });
  });

  it('/schedule lists, /schedule cancel offers a choice, and the end of the session says what ended with it', async () => {
    const at = await place([]);
    const session = await opened({settings: await at.settings(), port: fakeScreen(), clock: manualClock(NOW)});
    const said = [firstLine(await typed(session, 'schedule')), firstLine(await typed(session, 'schedule', 'cancel'))];
    const first = idIn(firstLine(await typed(session, 'loop', '10m check the build')));
    const second = idIn(firstLine(await typed(session, 'loop', '2h run the tests')));
    const list = await typed(session, 'schedule');
    const pick = await typed(session, 'schedule', 'cancel');
    const cancelled = await typed(session, 'schedule', `cancel ${first}`);
    expect(said).toEqual(
      Array.from({length: 2}, () => 'Nothing is scheduled. /loop 10m PROMPT repeats a prompt; "in 20 minutes …" runs one later.'),
    );
    expect(list?.type === 'text' ? list.text.split('\n').map((line) => line.slice(0, 8)) : list).toEqual([first, second]);
    expect(pick).toMatchObject({type: 'pick', items: [{value: `cancel ${first}`, label: 'check the build'}, {value: `cancel ${second}`}]});
    expect([cancelled, await session.close()]).toEqual([
      {type: 'text', text: `Cancelled ${first}: check the build`},
      ['1 scheduled task ended with the session: run the tests'],
    ]);
  });

  it('tasks go on with another model, and end where another session begins', async () => {
    const at = await place([]);
    const [clock, port] = [manualClock(NOW), fakeScreen()];
    const session = await opened({settings: await at.settings(), port, clock});
    await typed(session, 'loop', '10m check the build');
    await typed(session, 'model', 'ollama/other');
    clock.advance(20 * MINUTE);
    expect([session.info.model, session.takeDue?.()?.prompt]).toEqual(['ollama/other', 'check the build']);
    const switched = await typed(session, 'new');
    if (switched?.type === 'switch') await switched.session.close();
    expect([port.notes, clock.waits()]).toEqual([['1 scheduled task ended with the session: check the build'], []]);
  });

  it('a model finds cron_create by tool_search; a person is asked; the task runs', async () => {
    const create = call('cron_create', {prompt: 'check the build', every: '10m'});
    const at = await place([call('tool_search', {query: 'schedule a prompt every hour'}), create, {text: 'Scheduled.'}]);
    const clock = manualClock(NOW);
    const port = fakeScreen({approve: () => ({decision: 'once'})});
    const session = await opened({settings: await at.settings(), port, clock});
    await session.submit('check the build for me from time to time', never);
    const [question] = port.questions;
    expect([port.questions.length, question?.tool, question?.subject.map(({text}) => text)]).toEqual([1, 'cron_create', expect.anything()]);
    clock.advance(11 * MINUTE);
    expect(session.takeDue?.()).toMatchObject({prompt: 'check the build', hasMore: false});
  });
});
