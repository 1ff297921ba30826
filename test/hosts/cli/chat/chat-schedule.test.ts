import {PassThrough} from 'node:stream';
import {describe, expect, it, onTestFinished} from 'vitest';
import {answeredPlainLine, createChatSchedule, nextInput} from '../../../../src/hosts/cli/chat/chat-schedule.ts';
import {createLineEditor} from '../../../../src/hosts/cli/chat/line-editor.ts';
import {manualClock} from '../../../schedule/session/manual-clock.ts';
import {capturedIo} from '../captured-io.ts';

/** A chat at its prompt. */
function atPrompt() {
  const clock = manualClock(Date.parse('2026-11-23T10:00:00+01:00'));
  const schedule = createChatSchedule(clock);
  const [input, output] = [new PassThrough(), new PassThrough({encoding: 'utf8'})];
  output.resume();
  const typedAhead: string[] = [];
  const lines = createLineEditor({input, output, onInterrupt: () => undefined, onTypedAhead: (line) => typedAhead.push(line)});
  onTestFinished(() => lines.close());
  const notes: string[] = [];
  const {io} = capturedIo({note: (line) => void (line !== '' && notes.push(line))});
  const press = async (keys: string): Promise<void> => {
    input.write(keys);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {clock, schedule, lines, io, notes, input, press, next: () => nextInput(io, lines, schedule)};
}

const MINUTE = 60_000;

describe('tasks of a chat', () => {
  it('a task that becomes due at the prompt begins by itself; what was being typed is on the next line (issue: "injected only at the idle boundary")', async () => {
    const {clock, schedule, next, notes, press} = atPrompt();
    const {id} = await schedule.tasks.create({prompt: 'run the tests', at: 'in 20 minutes'});
    const waiting = next();
    await press('half a');
    clock.advance(20 * MINUTE);
    expect([await waiting, notes]).toEqual([
      {text: 'run the tests', isScheduled: true},
      [`Scheduled task ${id} is due: run the tests`, 'run the tests'],
    ]);
    const typed = next();
    await press(' line\r');
    expect(await typed).toEqual({text: 'half a line', isScheduled: false});
  });

  it('a task that becomes due while a turn runs waits for its end, and for what was typed ahead; it says how often it was due', async () => {
    const {clock, schedule, next, notes, press} = atPrompt();
    await schedule.tasks.create({prompt: 'check', every: '10m'});
    clock.advance(60 * MINUTE);
    await press('typed ahead\r');
    expect([await next(), notes]).toEqual([{text: 'typed ahead', isScheduled: false}, []]);
    expect(await next()).toEqual({text: 'check', isScheduled: true});
    expect(notes[0]).toMatch(/^Scheduled task [0-9a-f]{8} is due; it became due [56] times while the session was busy: check$/);
  });

  it('a reminder is shown, and no turn begins', async () => {
    const {clock, schedule, next, notes, press} = atPrompt();
    await schedule.tasks.create({prompt: 'stand\u202e up', at: 'in 5 minutes', isReminder: true});
    const waiting = next();
    clock.advance(5 * MINUTE);
    await press('go on\r');
    expect([await waiting, notes]).toEqual([{text: 'go on', isScheduled: false}, [String.raw`Reminder: stand\u202e up`]]);
  });

  it('the end of the input ends the chat, whatever is scheduled', async () => {
    const {schedule, next, input} = atPrompt();
    await schedule.tasks.create({prompt: 'check', every: '10m'});
    const waiting = next();
    input.end();
    expect(await waiting).toBeUndefined();
  });

  it('a line in plain language is answered, with the way to send it as a prompt; others are prompts', async () => {
    const {schedule, io, notes} = atPrompt();
    expect(await answeredPlainLine(io, schedule.tasks, 'cancel the order in db.ts')).toBe(false);
    expect(await answeredPlainLine(io, schedule.tasks, 'every 2 hours run the tests')).toBe(true);
    expect(await answeredPlainLine(io, schedule.tasks, 'cancel task 00000000')).toBe(true);
    const [task] = schedule.tasks.list();
    expect(notes).toEqual([
      `Task ${task?.id}, every 2 hours, next ${task?.next}: run the tests`,
      `It ends with this session, at the latest after 72 hours; /schedule cancel ${task?.id} ends it now.`,
      'The line was taken as a request about the schedule of this session. To send it to the model instead, put "Prompt:" in front of it.',
      'There is no scheduled task "00000000" in this session. List the scheduled tasks to see their ids.',
    ]);
  });
});
