import {execFileSync} from 'node:child_process';
import {chmod, mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {ReceivedRequest, ScriptedAnswer} from '../../src/testing/index.ts';
import {check} from '../checks/atif-check.mjs';
import {eventsOf, fettle, finished, modelServer, place, start, type Finished, type Place} from './support.ts';

type Messages = readonly {readonly role: string; readonly content: string}[];
type Row = Readonly<Record<string, unknown>>;

const NEVER: ScriptedAnswer = {stallAfter: 0, text: 'never'};
const BUILDER = '---\nname: builder\ndescription: Builds.\nisolation: worktree\n---\nBuild.\n';
const FREE = ['--mode', 'full-auto', '--no-sandbox'] as const;

const messagesOf = ({body}: ReceivedRequest): Messages => body['messages'] as Messages;
const call = (name: string, args: Readonly<Record<string, string>>): ScriptedAnswer => ({toolCalls: [{name, arguments: args}]});
const agents = (args: Readonly<Record<string, string>>): ScriptedAnswer => call('agents', args);
const resultsIn = (messages: Messages): string[] => messages.filter(({role}) => role === 'tool').map(({content}) => content);

/** A repository to work in, a model that answers by what it is shown, and a place where the process can be told to die. */
async function rig(answer: (request: ReceivedRequest, dying: Dying) => ScriptedAnswer) {
  const dying = createDying();
  const server = await modelServer(Array.from({length: 60}, () => (request: ReceivedRequest) => answer(request, dying)));
  const at = await place({'a.txt': 'one\n\n\n\n\nlast\n'}, server.config);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {cwd: at.work, encoding: 'utf8'});
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
  await mkdir(join(at.home, 'agents'));
  await writeFile(join(at.home, 'agents', 'builder.md'), BUILDER);
  return {at, server, git, dying};
}

interface Dying {
  /** Resolves at the marked point. */
  readonly reached: Promise<void>;
  /** The point: nothing is answered, the first time. */
  here(): ScriptedAnswer | undefined;
}

function createDying(): Dying {
  const {promise, resolve} = Promise.withResolvers<void>();
  let isOver = false;
  return {
    reached: promise,
    here() {
      if (isOver) return undefined;
      isOver = true;
      resolve();
      return NEVER;
    },
  };
}

/** Runs the command until the point, then kill -9. */
async function killedAt(at: Place, args: readonly string[], point: Promise<unknown>): Promise<void> {
  const child = start(at, args);
  const end = finished(child);
  const early = end.then(({stderr}) => Promise.reject(new Error(`It ended before the point: ${stderr}`)));
  await Promise.race([point, early]);
  child.kill('SIGKILL');
  await end;
}

interface Logged {
  readonly parent: readonly Row[];
  readonly children: readonly (readonly Row[])[];
}

async function logsOf({home}: Place): Promise<Logged> {
  const folder = join(home, 'state', 'sessions');
  const names = (await readdir(folder, {recursive: true})).filter((name) => name.endsWith('.jsonl'));
  const logs = await Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');
      return lines.map((line) => (JSON.parse(line) as {event: Row}).event);
    }),
  );
  const isChild = ([first]: readonly Row[]): boolean => first?.['parent_thread_id'] !== undefined;
  return {parent: logs.find((log) => !isChild(log)) ?? [], children: logs.filter(isChild)};
}

const ofType = (log: readonly Row[], type: string): Row[] => log.filter((event) => event['type'] === type);

/** What must be true after every crash: exit code 0, one copy of the repository, no unmerged rest, a valid trajectory with every subagent. */
async function expectWhole(at: Place, done: Finished, git: (...args: string[]) => string): Promise<Logged> {
  expect([done.code, done.stderr.includes('rror')]).toEqual([0, false]);
  expect(git('worktree', 'list').trimEnd().split('\n')).toHaveLength(1);
  const logs = await logsOf(at);
  const id = String(logs.parent[0]?.['thread_id']);
  const atif = JSON.parse((await fettle(at, ['sessions', 'export', id, '--format', 'atif'])).stdout) as {subagent_trajectories?: unknown[]};
  const told = new Set(ofType(logs.parent, 'agent.status').map((event) => event['child_thread_id']));
  expect([check(atif), atif.subagent_trajectories?.length]).toEqual([[], told.size]);
  return logs;
}

/** A thread with one subagent: it spawns, waits, and resumes what was cut off; a builder's work is merged with a change of its own. */
function manager(messages: Messages, agent: 'builder' | 'worker'): ScriptedAnswer {
  const results = resultsIn(messages);
  const last = results.at(-1) ?? '';
  if (results.length === 0) return agents({action: 'spawn', agent, message: 'Mark it.'});
  if (messages.at(-1)?.role === 'user') return agents({action: 'list'});
  if (last.startsWith('Merged') || last.includes('nothing to merge')) return {text: 'Done.'};
  if (last.includes('edited')) return call('merge_agent', {agent: `${agent}-1`});
  if (last.includes(`${agent}-1: completed`)) {
    return agent === 'worker' ? {text: 'Done.'} : call('bash', {command: "sed -i 's/^one/zero/' a.txt; echo edited"});
  }
  if (last.includes('No subagent was started')) return agents({action: 'spawn', agent, message: 'Mark it.'});
  return last.includes('cut off') ? agents({action: 'resume', agent: `${agent}-1`}) : agents({action: 'wait'});
}

const isSubagent = (messages: Messages): boolean => messages[0]?.content.includes('End with a report') === true;
const marks = (messages: Messages, command: string): ScriptedAnswer =>
  resultsIn(messages).some((text) => !text.includes('interrupted')) ? {text: '## Facts\n- f'} : call('bash', {command});

/** The place with a `git` before the real one that stops at a subcommand until its process dies; `reached` says that it has. */
async function stoppingGit(at: Place, subcommand: string): Promise<{at: Place; reached: Promise<unknown>}> {
  const bin = join(at.home, 'bin');
  const pipe = join(bin, 'reached');
  await mkdir(bin);
  execFileSync('mkfifo', [pipe]);
  const real = execFileSync('which', ['git'], {encoding: 'utf8'}).trim();
  const stop = `echo reached > ${pipe}; while kill -0 $PPID 2>/dev/null; do sleep 0.1; done; exit 1`;
  await writeFile(join(bin, 'git'), `#!/bin/bash\nif [[ " $* " == *" ${subcommand} "* ]]; then ${stop}; fi\nexec ${real} "$@"\n`);
  await chmod(join(bin, 'git'), 0o755);
  // Whoever still reads is let go.
  onTestFinished(() => void execFileSync('bash', ['-c', `echo over 1<> ${pipe}`]));
  return {at: {...at, env: {...at.env, PATH: `${bin}:${at.env['PATH'] ?? ''}`}}, reached: readFile(pipe, 'utf8')};
}

describe('kill -9 of the command at marked points of delegation: it goes on, nothing is run twice, nothing is left (issue 5 › crash)', () => {
  it.each([
    ['before the spawn is recorded', 'worktree add'],
    ['during merge_agent', 'merge-file'],
  ])('%s, with a copy of the repository', async (_, subcommand) => {
    const {at, git, server} = await rig((request) => {
      const messages = messagesOf(request);
      return isSubagent(messages) ? marks(messages, 'echo two >> a.txt') : manager(messages, 'builder');
    });
    const stopping = await stoppingGit(at, subcommand);
    await killedAt(stopping.at, ['exec', ...FREE, 'Go.'], stopping.reached);
    const done = await fettle(at, ['exec', ...FREE, '--last', 'Go on.']);
    const {children} = await expectWhole(at, done, git);
    expect(server.violations).toEqual([]);
    expect(await readFile(join(at.work, 'a.txt'), 'utf8')).toBe('zero\n\n\n\n\nlast\ntwo\n');
    expect(children.map((log) => ofType(log, 'turn.completed').length)).toEqual([1]);
    expect(await readdir(join(at.home, 'state', 'worktrees'))).toEqual([]);
  });

  it.each([
    ['while the subagent waits for its model', 'child'],
    ['when it is done and its findings are not merged', 'parent'],
  ])('%s', async (_, point) => {
    const {at, git, dying} = await rig((request, dies) => {
      const messages = messagesOf(request);
      if (!isSubagent(messages)) {
        const answer = manager(messages, 'worker');
        return (point === 'parent' && 'text' in answer && answer.text === 'Done.' ? dies.here() : undefined) ?? answer;
      }
      const answer = marks(messages, 'echo x >> marks.txt');
      return (point === 'child' && 'text' in answer && answer.text !== undefined ? dies.here() : undefined) ?? answer;
    });
    await killedAt(at, ['exec', ...FREE, 'Go.'], dying.reached);
    const done = await fettle(at, ['exec', ...FREE, '--last', 'Go on.']);
    const {parent, children} = await expectWhole(at, done, git);
    expect(await readFile(join(at.work, 'marks.txt'), 'utf8')).toBe('x\n');
    expect(children.map((log) => ofType(log, 'turn.completed').length)).toEqual([1]);
    const noted = ofType(parent, 'memory.noted').filter((event) => event['run_id'] !== undefined);
    expect(noted.map((event) => (event['delegated'] as Row)['facts'])).toEqual([['f']]);
  });

  it('while a task is at work: the call has a result that says so, and both logs are there', async () => {
    const {at, git, dying} = await rig((request, dies) => {
      const messages = messagesOf(request);
      if (isSubagent(messages)) return dies.here() ?? {text: 'Found.'};
      const last = messages.at(-1);
      if (last?.role === 'tool') return {text: last.content.includes('Found.') ? 'Done.' : 'Not done.'};
      return call('task', {agent: 'explore', task: 'Look.'});
    });
    await killedAt(at, ['exec', '--toolset', 'vibe', ...FREE, 'Go.'], dying.reached);
    const done = await fettle(at, ['exec', '--toolset', 'vibe', ...FREE, '--last', 'Go on.']);
    const {parent, children} = await expectWhole(at, done, git);
    expect(done.stdout).toBe('Done.\n');
    const told = ofType(parent, 'agent.status').map((event) => `${String(event['agent_id'])} ${String(event['status'])}`);
    expect(told).toEqual(['explore-task-1 running', 'explore-task-2 running', 'explore-task-2 completed']);
    expect(children.map((log) => ofType(log, 'turn.completed').length).toSorted((a, b) => a - b)).toEqual([0, 1]);
  });
});

const PLAN = JSON.stringify({
  spec_markdown: '# Goal\n\nThere is a b.txt.',
  contract_markdown: '# Done criteria\n\n- b.txt holds two',
  items: [{description: 'Write b.txt', files: ['b.txt'], outcome: 'it is there', verify: ['test -f b.txt']}],
});
const SCORES = {contract_fidelity: 5, functionality: 5, code_quality: 5, verification_integrity: 5};
const PASSED = JSON.stringify({verdict: 'pass', summary: 'It is there.', scorecard: SCORES});

describe('kill -9 of the command between planner, generator and evaluator (issue 5 › plan_build_evaluate, crash)', () => {
  it.each(['planner', 'generator', 'evaluator'] as const)('when the %s has been asked', async (point) => {
    const asked: string[] = [];
    const {at, git, dying} = await rig((request, dies) => {
      const messages = messagesOf(request);
      const system = messages[0]?.content ?? '';
      const role = system.startsWith('You plan') ? 'planner' : system.startsWith('You evaluate') ? 'evaluator' : 'generator';
      asked.push(role);
      if (role === point) {
        const stop = dies.here();
        if (stop !== undefined) return stop;
      }
      if (role !== 'generator') return {text: role === 'planner' ? PLAN : PASSED};
      const done = resultsIn(messages).length;
      if (done === 0) return call('bash', {command: 'echo two >> b.txt'});
      return done === 1
        ? {toolCalls: [{name: 'todo', arguments: {todos: [{content: 'Write b.txt', status: 'completed'}]}}]}
        : {text: 'Done.'};
    });
    await writeFile(
      join(at.home, 'config.toml'),
      `${await readFile(join(at.home, 'config.toml'), 'utf8')}[harness]\norchestration = "plan_build_evaluate"\n`,
    );
    await killedAt(at, ['exec', ...FREE, 'Make it so.'], dying.reached);
    const done = await fettle(at, ['exec', '--json', ...FREE, '--last', 'Go on.']);
    const {parent} = await expectWhole(at, done, git);
    expect(eventsOf(done).at(-1)).toMatchObject({outcome_code: 'success', verified: true, evaluation: 'passed'});
    // The one that was not answered is asked again, no other.
    expect(asked.filter((role) => role === 'planner')).toHaveLength(point === 'planner' ? 2 : 1);
    expect(asked.filter((role) => role === 'evaluator')).toHaveLength(point === 'evaluator' ? 2 : 1);
    expect(await readFile(join(at.work, 'b.txt'), 'utf8')).toBe('two\n');
    const said = ofType(parent, 'item.completed').map((event) => event['item'] as Row);
    expect(said.filter((item) => item['type'] === 'user_message' && String(item['text']).includes('<contract path='))).toHaveLength(1);
  });
});
