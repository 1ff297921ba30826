import {spawn} from 'node:child_process';
import {watch} from 'node:fs';
import {mkdir, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {ReceivedRequest, ScriptedStep} from '../../src/testing/index.ts';
import type {CrashOrder} from './crashing-thread.ts';
import {eventsOf, fettle, finished, modelServer, place, start, type Place} from './support.ts';
import {killedWithTest} from '../support/processes.ts';

const CALLS = 6;
const SMALL = '[context]\nwindow_tokens = 9000\n';
const EXEC = ['exec', '--mode', 'full-auto', '--no-sandbox'];
const SUMMARY = '## Done\n- some of it, and more than a few words\n## Facts\n- it is one fact (marks.txt:1)';

/** A model that marks one file after the other, each with much output, whatever happens in between; and what is done with summaries. */
function marking(summary: ScriptedStep): ScriptedStep[] {
  let calls = 0;
  const step: ScriptedStep = (request) => {
    if (isSummary(request)) return typeof summary === 'function' ? summary(request) : summary;
    if (calls === CALLS) return {text: 'All marked.'};
    calls += 1;
    return {toolCalls: [{name: 'bash', arguments: {command: `echo ${calls} >> marks.txt; seq ${calls}000 ${calls}990`}}]};
  };
  return Array.from({length: 60}, () => step);
}

function isSummary({body}: ReceivedRequest): boolean {
  return JSON.stringify(body).includes('<transcript>');
}

async function lines(at: Place, name: string): Promise<string[]> {
  const text = await readFile(join(at.work, name), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

async function eventsIn(at: Place): Promise<ThreadEvent[]> {
  const root = join(at.home, 'state', 'sessions');
  const [name = ''] = (await readdir(root, {recursive: true})).filter((file) => file.endsWith('.jsonl'));
  const text = await readFile(join(root, name), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as {event: ThreadEvent}).event);
}

/** Which call each mark is of; the call that was cut off may have been done, and is never done again. */
async function expectMarkedOnce(at: Place): Promise<void> {
  expect(await lines(at, 'marks.txt')).toEqual(Array.from({length: CALLS}, (_, index) => String(index + 1)));
}

const HOOKS = ['session_start', 'user_prompt_submit', 'pre_compact', 'post_compact', 'stop', 'session_end'] as const;

/** Hooks that count themselves; the one of `hangs` hangs when it runs for the first time. */
function hooks(hangs?: string): string {
  return HOOKS.map((event) => {
    const hang = event === hangs ? '; test -e hung || { touch hung; exec sleep 600; }' : '';
    const matcher = event === 'session_start' ? 'matcher = "startup|resume"\n' : '';
    return `[[hooks.${event}]]\n${matcher}command = "echo x >> ${event}.txt${hang}"\n`;
  }).join('');
}

async function counts(at: Place): Promise<Readonly<Record<string, number>>> {
  const found = await Promise.all(HOOKS.map(async (event) => [event, (await lines(at, `${event}.txt`)).length] as const));
  return Object.fromEntries(found);
}

/** Runs the command, and kills it as soon as the file is there. */
async function killedAt(at: Place, name: string, args: readonly string[]): Promise<void> {
  const watcher = watch(at.work);
  const seen = new Promise<void>((resolve) => watcher.on('change', (_, file) => void (file === name && resolve())));
  const child = start(at, args);
  const end = finished(child);
  await seen;
  watcher.close();
  child.kill('SIGKILL');
  await end;
}

/** The number of compactions that took place. */
function boundaries(events: readonly ThreadEvent[]): number {
  return events.filter(({type}) => type === 'thread.compact_boundary').length;
}

describe('kill -9 at any point of a compaction: resume works, nothing runs twice (issue › crash)', () => {
  it('while the summary is made: the conversation is as it was, and is shortened when the session goes on', async () => {
    const asked = Promise.withResolvers<void>();
    let first = true;
    const server = await modelServer(
      marking(() => {
        if (!first) return {text: SUMMARY};
        first = false;
        asked.resolve();
        return {text: SUMMARY, stallAfter: 1};
      }),
    );
    const at = await place({}, `${server.config}${SMALL}`);
    const child = start(at, [...EXEC, 'mark all']);
    const end = finished(child);
    await asked.promise;
    child.kill('SIGKILL');
    await end;
    expect(boundaries(await eventsIn(at))).toBe(0);
    const run = await fettle(at, [...EXEC, '--last', 'go on']);
    expect([run.code, run.stdout, server.violations]).toEqual([0, 'All marked.\n', []]);
    await expectMarkedOnce(at);
    expect(boundaries(await eventsIn(at))).toBeGreaterThan(0);
  });

  it.each(['memory.noted', 'thread.compact_boundary'])('right after %s', async (killAt) => {
    const server = await modelServer(marking({text: SUMMARY}));
    const at = await place({}, `${SMALL}${hooks()}`);
    const order = {cwd: at.work, home: at.home, url: server.url};
    expect(await crashing({...order, prompt: 'mark all', killAt})).toBe('SIGKILL');
    const before = boundaries(await eventsIn(at));
    expect(before).toBe(killAt === 'memory.noted' ? 0 : 1);
    expect(await crashing({...order, prompt: 'go on', resume: true})).toBe(0);
    await expectMarkedOnce(at);
    const events = await eventsIn(at);
    // One attempt was cut off before its end; it is made again, and told of once.
    const after = boundaries(events);
    expect(await counts(at)).toEqual({
      session_start: 2,
      user_prompt_submit: 2,
      pre_compact: after + (killAt === 'memory.noted' ? 1 : 0),
      post_compact: after - before,
      stop: 1,
      session_end: 1,
    });
    expect(JSON.stringify(server.requests.at(-1)?.body).match(/it is one fact/g)).toHaveLength(1);
    expect(server.violations).toEqual([]);
  });
});

async function crashing(order: CrashOrder): Promise<string | number | null> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crashing-thread.ts'), JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  killedWithTest(child);
  return await new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
}

describe('kill -9 while a hook runs that is not about a call: resume works, no call runs twice', () => {
  it.each(HOOKS)('%s', async (event) => {
    const server = await modelServer(marking({text: SUMMARY}));
    const at = await place({}, `${server.config}${SMALL}${hooks(event)}`);
    await killedAt(at, 'hung', [...EXEC, 'mark all']);
    const killed = await counts(at);
    expect(killed[event]).toBe(1);
    const run = await fettle(at, [...EXEC, '--last', 'go on']);
    expect([run.code, run.stdout, server.violations]).toEqual([0, 'All marked.\n', []]);
    await expectMarkedOnce(at);
    const now = await counts(at);
    const compactions = boundaries(await eventsIn(at));
    // Those of a session and of a prompt run once for each run; those of a compaction once for each, but for the one that was cut off.
    expect(now).toEqual({
      session_start: 2,
      user_prompt_submit: event === 'session_start' ? 1 : 2,
      pre_compact: compactions + (event === 'pre_compact' ? 1 : 0),
      post_compact: compactions,
      stop: event === 'stop' || event === 'session_end' ? 2 : 1,
      session_end: event === 'session_end' ? 2 : 1,
    });
  });
});

describe('kill -9 while a session is forked', () => {
  it.each([[[]], [['--summarize']]])(
    'fork %j, at some moment: the session is whole, what became of the fork does no harm',
    async (flags) => {
      const server = await modelServer(marking({text: SUMMARY}));
      const at = await place({}, server.config);
      const run = await fettle(at, [...EXEC, '--json', 'mark all']);
      const id = String(eventsOf(run)[0]?.['thread_id']);
      const root = join(at.home, 'state', 'sessions');
      await mkdir(root, {recursive: true});
      const watcher = watch(root, {recursive: true});
      const seen = new Promise<void>((resolve) => watcher.on('change', () => resolve()));
      const child = start(at, ['sessions', 'fork', id, ...flags]);
      const end = finished(child);
      await seen;
      watcher.close();
      child.kill('SIGKILL');
      await end;
      const list = await fettle(at, ['sessions', 'list']);
      expect([list.code, list.stdout.includes(id)]).toEqual([0, true]);
      const again = await fettle(at, ['sessions', 'fork', id, ...flags]);
      const fork = again.stdout.trim();
      const [own, forked] = [await fettle(at, [...EXEC, '--resume', id, 'go on']), await fettle(at, [...EXEC, '--resume', fork, 'go on'])];
      expect([again.code, own.code, own.stdout, forked.code, forked.stdout]).toEqual([0, 0, 'All marked.\n', 0, 'All marked.\n']);
      await expectMarkedOnce(at);
      const last = await fettle(at, [...EXEC, '--last', 'and now?']);
      expect([last.code, last.stdout, server.violations]).toEqual([0, 'All marked.\n', []]);
    },
  );
});
