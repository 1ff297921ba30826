import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {ReceivedRequest, ScriptedAnswer, ScriptedStep} from '../../src/testing/index.ts';
import {fettle, finished, modelServer, place, start, type Place} from './support.ts';

const EXEC = ['exec', '--mode', 'full-auto', '--no-sandbox'];

interface Message {
  readonly role: string;
  readonly content: unknown;
}

const messagesOf = ({body}: ReceivedRequest): readonly Message[] => body['messages'] as readonly unknown[] as readonly Message[];

/** The same answer for every request. */
const always = (answer: ScriptedStep): ScriptedStep[] => Array.from({length: 40}, () => answer);

/** What was said to the thread, or to its subagent, and queued for it, by their logs. */
async function saidIn(at: Place, subagent: boolean): Promise<{said: string[]; queued: string[]}> {
  const folder = join(at.home, 'state', 'sessions');
  const names = (await readdir(folder, {recursive: true})).filter((name) => name.endsWith('.jsonl'));
  const logs = await Promise.all(names.map(async (name) => eventsOfLog(await readFile(join(folder, name), 'utf8'))));
  const log = logs.find(([first]) => first?.type === 'thread.started' && (first.parent_thread_id !== undefined) === subagent) ?? [];
  return {
    said: log.flatMap((event) => (event.type === 'item.completed' && event.item.type === 'user_message' ? [event.item.text] : [])),
    queued: log.flatMap((event) => (event.type === 'input.queued' ? [event.kind] : [])),
  };
}

function eventsOfLog(text: string): ThreadEvent[] {
  const whole = text.slice(0, text.lastIndexOf('\n'));
  return whole.split('\n').map((line) => (JSON.parse(line) as {event: ThreadEvent}).event);
}

async function killed(at: Place, args: readonly string[], moment: Promise<void>): Promise<void> {
  const child = start(at, args);
  const end = finished(child);
  await moment;
  child.kill('SIGKILL');
  expect((await end).code).toBe(null);
}

describe('kill -9 of the built command between an input that was recorded and its answer (VT Code 1.5: applied exactly once)', () => {
  it('a prompt is said once, and answered with the next one', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await modelServer([() => (asked.resolve(), {text: 'never', stallAfter: 1}), {text: 'Both.'}]);
    const at = await place({}, server.config);
    await killed(at, [...EXEC, 'first'], asked.promise);
    const run = await fettle(at, [...EXEC, '--last', 'second']);
    expect([run.code, run.stdout, server.violations]).toEqual([0, 'Both.\n', []]);
    expect((await saidIn(at, false)).said).toEqual(['first', 'second']);
    const shown = JSON.stringify(server.requests.at(-1)?.body['messages']);
    expect(['first', 'second'].map((word) => shown.split(word).length - 1)).toEqual([1, 1]);
  });

  it('what was queued for a subagent, for its next step and for its end, is said to it once each', async () => {
    const waits = Promise.withResolvers<void>();
    let resumed = false;
    const child = (messages: readonly Message[]): ScriptedAnswer =>
      resumed ? {text: `Report ${messages.length}.`} : {text: 'never', stallAfter: 1};
    const server = await modelServer(
      always((request) => {
        const messages = messagesOf(request);
        if (JSON.stringify(messages[0]).includes('End with a report')) return child(messages);
        const results = messages.filter(({role}) => role === 'tool');
        const last = JSON.stringify(results.at(-1)?.content ?? '');
        if (last.includes('worker-1: completed')) return {text: 'Done.'};
        if (resumed) return agents(messages.at(-1)?.role === 'user' ? {action: 'resume', agent: 'worker-1'} : {action: 'wait'});
        if (results.length === 3) waits.resolve();
        return SENT[results.length] ?? agents({action: 'wait'});
      }),
    );
    const at = await place({}, server.config);
    await killed(at, [...EXEC, 'first'], waits.promise);
    expect(await saidIn(at, true)).toEqual({said: ['The task.'], queued: ['follow_up', 'steer', 'follow_up']});
    resumed = true;
    const run = await fettle(at, [...EXEC, '--last', 'go on']);
    expect([run.code, run.stdout, server.violations]).toEqual([0, 'Done.\n', []]);
    expect(await saidIn(at, true)).toEqual({
      said: ['The task.', 'Now this.', 'Then that.'],
      queued: ['follow_up', 'steer', 'follow_up'],
    });
  });
});

function agents(args: Record<string, string | boolean>): ScriptedAnswer {
  return {toolCalls: [{name: 'agents', arguments: args}]};
}

const SENT: readonly ScriptedAnswer[] = [
  agents({action: 'spawn', agent: 'worker', message: 'The task.'}),
  agents({action: 'send', agent: 'worker-1', message: 'Now this.', now: true}),
  agents({action: 'send', agent: 'worker-1', message: 'Then that.'}),
];

describe('kill -9 of the built command while a command runs without a sandbox', () => {
  it('what the command started does not outlive it, also what left its group or has ignored every signal', async () => {
    const lines = [
      'echo $$ > own.pid',
      '(trap "" HUP INT TERM; echo $BASHPID > deaf.pid; exec sleep 600) &',
      "setsid sh -c 'echo $$ > group.pid; exec sleep 600' &",
      'nohup sh -c \'sh -c "echo \\$\\$ > deep.pid; exec sleep 600" & wait\' > nohup.txt 2>&1 &',
      'while [ ! -s own.pid ] || [ ! -s deaf.pid ] || [ ! -s group.pid ] || [ ! -s deep.pid ]; do sleep 0.05; done; echo all; wait',
    ];
    const server = await modelServer([{toolCalls: [{name: 'bash', arguments: {command: lines.join('\n')}}]}]);
    const at = await place({}, server.config);
    const running = start(at, [...EXEC, '--json', 'hi']);
    const all = Promise.withResolvers<void>();
    running.stdout?.on('data', (chunk: Buffer) => void (chunk.includes('"delta":"all') && all.resolve()));
    const end = finished(running);
    await all.promise;
    const names = ['own', 'deaf', 'group', 'deep'];
    const pids = await Promise.all(names.map(async (name) => Number(await readFile(join(at.work, `${name}.pid`), 'utf8'))));
    expect([new Set(pids).size, await living(pids)]).toEqual([4, pids]);
    running.kill('SIGKILL');
    await end;
    await expect.poll(() => living(pids), {timeout: 20_000}).toEqual([]);
  });
});

/** A process that ended and was not waited for is not alive. */
async function living(pids: readonly number[]): Promise<number[]> {
  const states = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') Z')));
  return pids.filter((_, index) => !/\) [ZX]/.test(states[index] ?? ''));
}
