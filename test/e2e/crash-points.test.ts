import {execFileSync, spawn} from 'node:child_process';
import {mkdir, readFile, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {startModelServer, type ReceivedRequest, type ScriptedAnswer} from '../../src/testing/index.ts';
import {killedWithTest} from '../support/processes.ts';
import {scratch} from '../support/scratch.ts';
import type {CrashOrder} from './crashing-thread.ts';

type Messages = readonly {readonly role: string; readonly content: unknown}[];

interface Place {
  readonly order: Pick<CrashOrder, 'cwd' | 'home' | 'url'>;
  /** The events of the thread itself, from its log. */
  log(): Promise<ThreadEvent[]>;
}

async function place(answer: (request: ReceivedRequest) => ScriptedAnswer): Promise<Place> {
  const server = await startModelServer(Array.from({length: 60}, () => answer));
  onTestFinished(() => server.close());
  const home = await scratch({});
  return {
    order: {cwd: await scratch({'a.txt': 'one\n'}), home, url: server.url},
    async log() {
      expect(server.violations).toEqual([]);
      const folder = join(home, 'state', 'sessions');
      const names = (await readdir(folder, {recursive: true})).filter((name) => name.endsWith('.jsonl'));
      const logs = await Promise.all(names.map(async (name) => await eventsIn(join(folder, name))));
      return logs.find(([first]) => first?.type === 'thread.started' && first.parent_thread_id === undefined) ?? [];
    },
  };
}

async function eventsIn(file: string): Promise<ThreadEvent[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as {event: ThreadEvent}).event);
}

/** How it ended: the signal, or the exit code. */
async function run(order: CrashOrder): Promise<string | number | null> {
  return (await runSaying(order)).end;
}

async function runSaying(order: CrashOrder): Promise<{end: string | number | null; said: string}> {
  const script = join(import.meta.dirname, 'crashing-thread.ts');
  const child = spawn(process.execPath, [script, JSON.stringify(order)], {stdio: ['ignore', 'pipe', 'inherit']});
  killedWithTest(child);
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  return await new Promise((resolve) => child.once('close', (code, signal) => resolve({end: signal ?? code, said})));
}

function messagesOf({body}: ReceivedRequest): Messages {
  return body['messages'] as Messages;
}

const RESUMED = ['worker-task-1 running', 'worker-task-1 queued', 'worker-task-1 running', 'worker-task-1 completed'];

describe('queued inputs are applied exactly once (VT Code 1.5: ids survive a crash)', () => {
  const answer = (request: ReceivedRequest): ScriptedAnswer =>
    messagesOf(request).some(({role}) => role === 'tool') ? {text: 'Ok.'} : {toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]};
  const inputs = {prompt: 'first', steer: 'steer me', followUp: 'then this'};

  it.each([
    'item.started',
    'input.queued:steer',
    'input.queued:follow_up',
    'interjected:steer',
    'user_message:steer me',
    'turn.completed',
    'interjected:follow_up',
    'user_message:then this',
  ])('kill -9 after %s, and both sent again by a host that cannot know', async (killAt) => {
    const at = await place(answer);
    expect(await run({...at.order, ...inputs, killAt})).toBe('SIGKILL');
    expect(await run({...at.order, ...inputs, prompt: 'go on', resume: true})).toBe(0);
    const log = await at.log();
    const said = log.flatMap((event) => (event.type === 'item.completed' && event.item.type === 'user_message' ? [event.item.text] : []));
    expect(said.filter((text) => text !== 'first' && text !== 'go on')).toEqual(['steer me', 'then this']);
    expect(log.filter(({type}) => type === 'input.queued')).toHaveLength(2);
  });
});

describe('at most 16 inputs wait, also over a crash (issue 5.9)', () => {
  const answer = (request: ReceivedRequest): ScriptedAnswer =>
    messagesOf(request).some(({role}) => role === 'tool') ? {text: 'Ok.'} : {toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]};
  const inputs = Array.from({length: 17}, (_, index) => {
    const kind: 'steer' | 'follow_up' = index % 2 === 0 ? 'steer' : 'follow_up';
    return {id: `inp_${index}`, kind, text: `input ${index}`};
  });

  it.each([
    ['user_message:first', 'inp_16\n'],
    ['user_message:input 4', ''],
    ['user_message:input 14', ''],
    ['turn.completed', ''],
    ['user_message:input 9', ''],
  ])('kill -9 after %s: who sends all of them again has each applied once', async (killAt, refusedAgain) => {
    const at = await place(answer);
    const first = await runSaying({...at.order, prompt: 'first', inputs, killAt});
    // Killed before anything was submitted, nothing was refused either.
    expect(first).toEqual({end: 'SIGKILL', said: killAt === 'user_message:first' ? '' : 'inp_16\n'});
    expect(await runSaying({...at.order, prompt: 'go on', inputs, resume: true})).toEqual({end: 0, said: refusedAgain});
    const log = await at.log();
    const said = log.flatMap((event) => (event.type === 'item.completed' && event.item.type === 'user_message' ? [event.item.text] : []));
    const applied = said.filter((text) => text.startsWith('input'));
    const accepted = inputs.slice(0, refusedAgain === '' ? 17 : 16).map(({text}) => text);
    expect([applied.length, new Set(applied)]).toEqual([accepted.length, new Set(accepted)]);
    expect(log.filter(({type}) => type === 'input.queued')).toHaveLength(accepted.length);
  });
});

describe('a crash at any point of delegation: it goes on, and nothing is run twice', () => {
  const answer = (request: ReceivedRequest): ScriptedAnswer => {
    const messages = messagesOf(request);
    const system = JSON.stringify(messages.find(({role}) => role === 'system'));
    const results = messages.filter(({role}) => role === 'tool').map(({content}) => String(content));
    if (system.includes('End with a report')) {
      const isDone = results.some((text) => !text.includes('interrupted'));
      return isDone ? {text: '## Facts\n- f'} : {toolCalls: [{name: 'bash', arguments: {command: 'echo x >> marks.txt'}}]};
    }
    const agents = (args: Record<string, string>): ScriptedAnswer => ({toolCalls: [{name: 'agents', arguments: args}]});
    const last = results.at(-1) ?? '';
    if (results.length === 0) return agents({action: 'spawn', agent: 'worker', message: 'Mark it.'});
    if (last.includes('worker-1: completed')) return {text: 'Done.'};
    if (last.includes('interrupted') || messages.at(-1)?.role === 'user') return agents({action: 'list'});
    if (last.includes('No subagent was started')) return agents({action: 'spawn', agent: 'worker', message: 'Mark it.'});
    return last.includes('cut off') ? agents({action: 'resume', agent: 'worker-1'}) : agents({action: 'wait'});
  };

  it.each([
    'agent.event:input.queued:follow_up',
    'agent.status:queued',
    'agent.status:running',
    'agent.event:turn.started',
    'agent.event:user_message:Mark it.',
    'agent.event:tool_output',
    'agent.event:turn.completed',
    'agent.event:thread.completed',
    'agent.status:completed',
    'memory.noted',
    'turn.completed',
  ])('kill -9 after %s', async (killAt) => {
    const at = await place(answer);
    expect(await run({...at.order, prompt: 'first', killAt})).toBe('SIGKILL');
    expect(await run({...at.order, prompt: 'go on', resume: true})).toBe(0);
    expect(await readFile(join(at.order.cwd, 'marks.txt'), 'utf8')).toBe('x\n');
    const log = await at.log();
    const noted = log.flatMap((event) => (event.type === 'memory.noted' && event.delegated !== undefined ? [event.delegated.facts] : []));
    expect(noted).toEqual([['f']]);
    expect(log.at(-1)).toMatchObject({type: 'thread.completed', outcome_code: 'success'});
  });
});

describe('a crash while a call waits for a subagent (seed 002 › explicit delegation: resume)', () => {
  const answer = (request: ReceivedRequest): ScriptedAnswer => {
    const messages = messagesOf(request);
    const results = messages.filter(({role}) => role === 'tool').map(({content}) => String(content));
    if (JSON.stringify(messages[0]).includes('End with a report')) {
      const isDone = results.some((text) => !text.includes('interrupted'));
      return isDone ? {text: '## Facts\n- f'} : {toolCalls: [{name: 'bash', arguments: {command: 'echo x >> marks.txt'}}]};
    }
    const call = (name: string, args: Record<string, string>): ScriptedAnswer => ({toolCalls: [{name, arguments: args}]});
    const last = results.at(-1) ?? '';
    if (last.includes('completed') || last.includes('## Facts')) return {text: 'Done.'};
    const told = /agents (\{.*?\}) lets it go on/.exec(last)?.[1];
    if (told !== undefined) return call('agents', JSON.parse(told) as Record<string, string>);
    if (results.length === 0 || last.includes('It has no log')) return call('task', {agent: 'worker', task: 'Mark it.'});
    return call('agents', {action: 'wait'});
  };

  it.each([
    ['agent.status:running', ['worker-task-1 running', 'worker-task-2 running', 'worker-task-2 completed']],
    ['agent.event:thread.started', RESUMED],
    ['agent.event:input.queued:follow_up', RESUMED],
    ['agent.event:user_message:Mark it.', RESUMED],
    ['agent.event:tool_output', RESUMED],
    ['agent.event:turn.completed', RESUMED],
    ['agent.event:thread.completed', RESUMED],
  ])('kill -9 after %s: the model is told how the subagent goes on, and nothing is run twice', async (killAt, told) => {
    const at = await place(answer);
    expect(await run({...at.order, prompt: 'first', killAt})).toBe('SIGKILL');
    expect(await run({...at.order, prompt: 'go on', resume: true})).toBe(0);
    const log = await at.log();
    expect(log.flatMap((event) => (event.type === 'agent.status' ? [`${event.agent_id} ${event.status}`] : []))).toEqual(told);
    expect(await readFile(join(at.order.cwd, 'marks.txt'), 'utf8')).toBe('x\n');
    const noted = log.flatMap((event) => (event.type === 'memory.noted' && event.delegated !== undefined ? [event.delegated.facts] : []));
    expect(noted).toEqual([['f']]);
  });
});

describe('a crash while a subagent works in a copy of the repository', () => {
  it('the copy is taken away at the next start, what was done there is kept and can be merged', async () => {
    const answer = (request: ReceivedRequest): ScriptedAnswer => {
      const messages = messagesOf(request);
      const results = messages.filter(({role}) => role === 'tool').map(({content}) => String(content));
      if (JSON.stringify(messages[0]).includes('End with a report')) {
        return {toolCalls: [{name: 'bash', arguments: {command: 'echo two >> a.txt'}}]};
      }
      if (results.length === 0) return {toolCalls: [{name: 'agents', arguments: {action: 'spawn', agent: 'builder', message: 'Build.'}}]};
      if (messages.at(-1)?.role === 'user') return {toolCalls: [{name: 'merge_agent', arguments: {agent: 'builder-1'}}]};
      return results.at(-1)?.startsWith('Merged') === true
        ? {text: 'Merged.'}
        : {toolCalls: [{name: 'agents', arguments: {action: 'wait'}}]};
    };
    const at = await place(answer);
    const {cwd, home} = at.order;
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {cwd, encoding: 'utf8'});
    git('init', '--quiet');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'first');
    await mkdir(join(home, 'agents'));
    await writeFile(join(home, 'agents', 'builder.md'), '---\nname: builder\ndescription: Builds.\nisolation: worktree\n---\nBuild.\n');
    expect(await run({...at.order, prompt: 'first', killAt: 'agent.event:tool_output'})).toBe('SIGKILL');
    expect(git('worktree', 'list').trimEnd().split('\n')).toHaveLength(2);
    expect(await run({...at.order, prompt: 'go on', resume: true})).toBe(0);
    expect(git('worktree', 'list').trimEnd().split('\n')).toHaveLength(1);
    expect(await readdir(join(home, 'state', 'worktrees'))).toEqual([]);
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });
});
