import {readdir, readFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {exportRollouts, LAB_EXPORT_FORMATS, type LabExportFormat} from '../../../src/lab/export/export-rollouts.ts';
import type {Provenance} from '../../../src/lab/export/records.ts';
import {subagentText} from '../../../src/lab/log/rollout-log.ts';
import type {RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {check} from '../../checks/atif-check.mjs';
import {
  answered,
  callCompleted,
  callStarted,
  frame,
  output,
  started,
  text,
  turnCompleted,
  turnFailed,
  turnStarted,
  user,
} from '../../sessions/events.ts';
import {scratch} from '../../support/scratch.ts';
import {result, runOf} from '../report/results.ts';
import {loadChatFineTuning, loadConversationalPreference, loadTrajectory, loadTransitions} from './loaders.ts';
import {session, sessionLog, storeOf, triedRollouts} from './logs.ts';

// Issue 19 › how it will be checked: "exports read by a loader written from the format's own documentation".

const SIGNAL = new AbortController().signal;
const ALL_TRAIN = {validation: 0, test: 0};
const KEY = `sk-ant-api03-${'a1B2'.repeat(20)}`;

interface Exported {
  /** By their paths in the folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly leftOut: Readonly<Record<string, number>>;
}

async function exported(format: LabExportFormat, from: ReturnType<typeof triedRollouts>, parts = ALL_TRAIN): Promise<Exported> {
  const folder = join(await scratch(), 'data');
  const {leftOut} = await exportRollouts({run: runOf(from.results), format, read: from.read, folder, parts}, SIGNAL);
  const names = (await readdir(folder, {recursive: true, withFileTypes: true})).filter((entry) => entry.isFile());
  const paths = names.map(({parentPath, name}) => join(parentPath, name).slice(folder.length + 1)).toSorted();
  const files = Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const)),
  );
  return {files, leftOut};
}

function provenanceIn(files: Exported['files']): readonly {readonly split: string; readonly task: string}[] {
  return Object.entries(files).flatMap(([path, content]) => {
    if (path.endsWith('.provenance.jsonl'))
      return linesOf<Provenance>(content).map(({task}) => ({split: path.replace('.provenance.jsonl', ''), task}));
    return dirname(path) === '.' ? [] : [{split: dirname(path), task: (JSON.parse(content) as {extra: Provenance}).extra.task}];
  });
}

function linesOf<Line>(content = ''): Line[] {
  return content.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
}

const words = (seed: number): string => Array.from({length: 40}, (_, at) => `w${(at * 7 + seed * 131) % 9973}`).join(' ');

/** Many tasks, of which each was tried several times; marks as in `results`. */
function tried(outcomes: Readonly<Record<string, string>>): ReturnType<typeof triedRollouts> {
  const kinds = {'+': 'passed', '-': 'failed', '!': 'infrastructure'} as const;
  return triedRollouts(
    Object.entries(outcomes).flatMap(([task, marks], n) =>
      Array.from(marks as Iterable<keyof typeof kinds>, (mark, at) => ({
        task,
        attempt: at + 1,
        outcome: kinds[mark],
        events: session(`Tried ${words(n * 10 + at)}`, {prompt: `Do ${task}.`, cwd: `/home/me/scratch/r${n}-${at}`}),
      })),
    ),
  );
}

describe('an export, loaded by what its documentation says', () => {
  const all = tried({sum: '+-!', sort: '-+', copy: '++', lost: '!'});

  it('sft and preference: every line is an example', async () => {
    const {files} = await exported('sft', all);
    expect(loadChatFineTuning(files['train.jsonl'] ?? '').map(({messages}) => messages[1]?.content)).toEqual([
      'Do sum.',
      'Do sort.',
      'Do copy.',
      'Do copy.',
    ]);
    const pairs = loadConversationalPreference((await exported('preference', all)).files['train.jsonl'] ?? '');
    expect(pairs.map(({prompt}) => prompt.at(-1)?.content)).toEqual(['Do sum.', 'Do sort.']);
  });

  it('rl: episodes whose rewards are those of their rollouts, and states that are whole conversations', async () => {
    const {files} = await exported('rl', all);
    const episodes = loadTransitions(files['train.jsonl'] ?? '');
    expect(episodes.map(({id, reward, truncated}) => [id, reward, truncated])).toEqual(
      all.results.filter(({outcome}) => outcome !== 'infrastructure').map((one) => [nameOf(one), one.reward, false]),
    );
    expect(episodes[0]?.steps.map(({state}) => state.map(({role}) => role))).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool'],
    ]);
    expect(episodes.every(({steps}) => steps.every(({tools}) => tools.length === 2))).toBe(true);
  });

  it('rl: the rewards of the steps of a task add up to that of its rollout, whatever the names of the steps', () => {
    return fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[a-z][a-z ._-]{0,8}$/), {
          minLength: 2,
          maxLength: 4,
          selector: (name) => name.replaceAll(/\W/g, '-'),
        }),
        fc.array(fc.integer({min: 0, max: 4}), {minLength: 4, maxLength: 4}),
        async (names, quarters) => {
          const steps = names.map((name, at) => ({name, reward: (quarters[at] ?? 0) / 4}));
          const reward = steps.reduce((sum, step) => sum + step.reward, 0) / steps.length;
          const artifacts = Object.fromEntries(names.map((name, at) => [`${name.replaceAll(/[^\w.-]/g, '-')}/session.jsonl`, `s${at}`]));
          const read = storeOf(Object.fromEntries(names.map((name, at) => [`s${at}`, sessionLog(session(`At ${name}.`))])));
          const one = result({steps, reward, artifacts});
          const [episode, another] = loadTransitions((await exported('rl', {results: [one], read})).files['train.jsonl'] ?? '');
          expect(another).toBeUndefined();
          expect(episode?.reward).toBeCloseTo(reward, 9);
          expect(episode?.steps.map(({action}) => action.content).filter((said) => said !== 'I look.')).toEqual(
            names.map((name) => `At ${name}.`),
          );
        },
      ),
      {numRuns: 15},
    );
  });

  it('all formats: a task is in one split, the same in each; what the infrastructure failed is in none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.stringMatching(/^[+!-]{1,4}$/), {minKeys: 1, maxKeys: 12}),
        async (outcomes) => {
          const from = tried(outcomes);
          const splits = new Map<string, Set<string>>();
          for (const format of LAB_EXPORT_FORMATS) {
            for (const {split, task} of provenanceIn((await exported(format, from, {validation: 0.3, test: 0.3})).files))
              splits.set(task, (splits.get(task) ?? new Set()).add(split));
          }
          expect([...splits.values()].filter(({size}) => size !== 1)).toEqual([]);
          const judged = Object.entries(outcomes).flatMap(([task, marks]) => (/[+-]/.test(marks) ? [task] : []));
          expect([...splits.keys()].toSorted()).toEqual(judged.toSorted());
        },
      ),
      {numRuns: 8},
    );
  });

  it('all formats: no file of the folder has a secret, or the place where the agent worked', async () => {
    for (const format of LAB_EXPORT_FORMATS) {
      const {files} = await exported(format, format === 'preference' ? tried({sum: '+-'}) : delegated());
      const found = Object.entries(files).filter(([, content]) => content.includes(KEY) || content.includes('/home/me'));
      expect([format, found.map(([path]) => path), Object.values(files).some((content) => content.includes('/workspace'))]).toEqual([
        format,
        [],
        true,
      ]);
    }
  });
});

describe('near-duplicates across tasks', () => {
  it('are left out, counted, and named with the rollout that they repeat', async () => {
    const same = (task: string, prompt: string) => ({task, attempt: 1, outcome: 'passed', events: session(words(1), {prompt})}) as const;
    const {files, leftOut} = await exported('sft', triedRollouts([same('a', 'Add.'), same('b', 'Add.'), same('c', 'Multiply.')]));
    expect(linesOf<Provenance>(files['train.provenance.jsonl']).map(({task}) => task)).toEqual(['a', 'c']);
    expect(leftOut).toEqual({'near-duplicate of another task': 1});
    expect(linesOf(files['near-duplicates.jsonl'])).toEqual([{rollout: 'b/acme/large/fettle/1', of: 'a/acme/large/fettle/1'}]);
  });
});

describe('subagents', () => {
  it('have records of their own in sft, with their profiles; one that did not end has none', async () => {
    const {files} = await exported('sft', delegated());
    expect(
      loadChatFineTuning(files['train.jsonl'] ?? '').map(({messages}) => messages.map(({role, content}) => `${role}: ${content}`).slice(1)),
    ).toEqual([
      ['user: Look around.', 'assistant: I ask.', 'tool: a is here', 'assistant: All found.'],
      ['user: order for thr_a', 'assistant: found by thr_a in /workspace/copy'],
    ]);
    expect(linesOf<Provenance>(files['train.provenance.jsonl']).map(({subagent}) => subagent)).toEqual([undefined, 'explore']);
  });

  it('are embedded in trajectories, and in neither of the other formats', async () => {
    const {files} = await exported('atif', delegated());
    const [content = ''] = Object.entries(files).flatMap(([path, one]) => (basename(path).startsWith('find') ? [one] : []));
    expect(check(JSON.parse(content))).toEqual([]);
    expect(loadTrajectory(JSON.parse(content) as Parameters<typeof loadTrajectory>[0])).toMatchObject({
      said: ['I ask.', 'All found.'],
      subagents: [
        {id: 'thr_a', profile: 'explore', said: ['found by thr_a in /workspace/copy']},
        {id: 'thr_b', profile: 'explore', said: ['found by thr_b in /workspace/copy']},
      ],
    });
    const rl = loadTransitions((await exported('rl', delegated())).files['train.jsonl'] ?? '');
    expect(rl.map(({steps}) => steps.map(({action}) => action.content))).toEqual([['I ask.', 'All found.']]);
  });
});

/** A rollout whose agent started two subagents, of which the second failed. */
function delegated(): ReturnType<typeof triedRollouts> {
  const cwd = '/home/me/scratch/r1';
  const ask = (id: string): Parameters<typeof callStarted>[1] => ({
    id,
    name: 'task',
    arguments: JSON.stringify({agent: 'explore', task: id}),
  });
  const status = (child: string, id: string): ThreadEvent => {
    const facts = {agent_id: child, agent: 'explore', child_thread_id: child, run_id: `run_${child}`, task: id, tool_call_id: `call_${id}`};
    return {type: 'agent.status', thread_id: 'thr_1', status: 'running', ...facts};
  };
  const main = [
    started({cwd}),
    frame(`You work in ${cwd}.`, ['task']),
    turnStarted(),
    user('Look around.'),
    text('r1', 'I ask.'),
    callStarted('r1', ask('c1')),
    answered('r1'),
    status('thr_a', 'c1'),
    status('thr_b', 'c1'),
    callCompleted('r1', ask('c1')),
    output('r1', ask('c1'), 'a is here'),
    text('r2', 'All found.'),
    answered('r2'),
    turnCompleted(),
  ];
  const child = (id: string, end: ThreadEvent): string =>
    sessionLog([
      {...started({thread_id: id, cwd: `${cwd}/copy`}), parent_thread_id: 'thr_1', agent: 'explore'} as ThreadEvent,
      frame(`You look, with ${KEY}.`, ['read']),
      turnStarted(),
      user(`order for ${id}`),
      text(`x-${id}`, `found by ${id} in ${cwd}/copy`),
      answered(`x-${id}`),
      end,
    ]);
  const logs = [
    {threadId: 'thr_a', text: child('thr_a', turnCompleted())},
    {threadId: 'thr_b', text: child('thr_b', turnFailed('provider_error'))},
  ];
  const artifacts = {'session.jsonl': 'main', 'subagents.jsonl': 'subagents'};
  return {results: [result({key: {task: 'find'}, artifacts})], read: storeOf({main: sessionLog(main), subagents: subagentText(logs)})};
}

function nameOf({key: {task, model, toolset, attempt}}: RolloutResult): string {
  return [task, model, toolset, attempt].join('/');
}
