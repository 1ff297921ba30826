import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {compileSchema} from '../../../src/base/json-schema/compile-schema.ts';
import type {Json} from '../../../src/base/json.ts';
import {exportRollouts, type LabExportFormat} from '../../../src/lab/export/export-rollouts.ts';
import type {ReadArtifact} from '../../../src/lab/log/rollout-log.ts';
import type {RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import {check} from '../../checks/atif-check.mjs';
import {result, runOf} from '../report/results.ts';
import {scratch} from '../../support/scratch.ts';
import {session, sessionLog, storeOf, triedRollouts} from './logs.ts';
import {loadChatFineTuning, loadConversationalPreference} from './loaders.ts';

const SIGNAL = new AbortController().signal;
const ALL_TRAIN = {validation: 0, test: 0};
const words = (seed: number): string => Array.from({length: 60}, (_, at) => `word${(at * 7 + seed * 131) % 997}`).join(' ');

const TRIED = triedRollouts([
  {task: 'sum', attempt: 1, outcome: 'passed', events: session(`Done: ${words(1)}`)},
  {task: 'sum', attempt: 2, outcome: 'failed', events: session(`Gave up: ${words(2)}`, {cwd: '/home/me/scratch/r2'})},
  {task: 'sum', attempt: 3, outcome: 'passed', events: session(`Done: ${words(1)}`, {cwd: '/home/me/scratch/r3'})},
  {task: 'sum', attempt: 4, outcome: 'infrastructure', events: session('Nothing')},
  {task: 'sort', attempt: 1, outcome: 'passed', events: session(`Sorted: ${words(3)}`)},
]);

async function exported(format: LabExportFormat, results: readonly RolloutResult[] = TRIED.results, read: ReadArtifact = TRIED.read) {
  const folder = join(await scratch(), 'data');
  const summary = await exportRollouts({run: runOf(results), format, read, folder, parts: ALL_TRAIN}, SIGNAL);
  const text = async (name: string): Promise<string> => readFile(join(folder, name), 'utf8').catch(() => '');
  return {folder, summary, train: await text('train.jsonl'), provenance: await text('train.provenance.jsonl')};
}

const lines = (text: string): Json[] => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Json]));

async function schemaProblems(name: string, text: string): Promise<readonly string[]> {
  const file = join(import.meta.dirname, `../../../docs/reference/lab-${name}.schema.json`);
  const schema = await compileSchema(JSON.parse(await readFile(file, 'utf8')) as Json);
  return lines(text).flatMap((line) => schema.problems(line));
}

describe('training data', () => {
  it('is what passed, in the chat format, once for each way, with where it comes from', async () => {
    const {summary, train, provenance} = await exported('sft');
    expect(loadChatFineTuning(train).map(({messages}) => messages.at(-1)?.content?.slice(0, 8))).toEqual(['Done: wo', 'Sorted: ']);
    expect(summary).toEqual({
      format: 'sft',
      run: 'night',
      suite: 'small',
      records: {train: 2, validation: 0, test: 0},
      tasks: {train: 2, validation: 0, test: 0},
      leftOut: {infrastructure: 1, failed: 1, 'near-duplicate': 1},
      withoutTools: 0,
      parts: ALL_TRAIN,
    });
    expect(lines(provenance)[0]).toEqual({
      run: 'night',
      suite: 'small',
      task: 'sum',
      task_digest: 'digest of sum',
      model: 'acme/large',
      toolset: 'fettle',
      attempt: 1,
      outcome: 'passed',
      reward: 1,
      fettle_version: '1.2.3',
    });
  });

  it('has pairs of a passed and a failed attempt at the same task', async () => {
    const {summary, train, provenance} = await exported('preference');
    const [pair] = loadConversationalPreference(train);
    expect([
      pair?.prompt.map(({role}) => role),
      pair?.chosen.at(-1)?.content?.slice(0, 5),
      pair?.rejected.at(-1)?.content?.slice(0, 7),
    ]).toEqual([['system', 'user'], 'Done:', 'Gave up']);
    expect([summary.records.train, summary.leftOut]).toEqual([1, {infrastructure: 1, 'no pair': 2}]);
    expect(lines(provenance)[0]).toMatchObject({attempt: 1, rejected: {attempt: 2, failure: 'wrong-answer', reward: 0}});
  });

  it('has transitions of all that was judged, passed, failed or repeated', async () => {
    const {train} = await exported('rl');
    const rows = lines(train) as unknown as {episode: string; t: number; reward: number; terminated: boolean}[];
    expect(rows.filter(({terminated}) => terminated).map(({episode, t, reward}) => [episode, t, reward])).toEqual([
      ['sum/acme/large/fettle/1', 1, 1],
      ['sum/acme/large/fettle/2', 1, 0],
      ['sum/acme/large/fettle/3', 1, 1],
      ['sort/acme/large/fettle/1', 1, 1],
    ]);
  });

  it('has trajectories that are valid ATIF, a file each', async () => {
    const {folder, summary} = await exported('atif');
    const names = (await readdir(join(folder, 'train'))).toSorted();
    const all = await Promise.all(
      names.map(async (name) => JSON.parse(await readFile(join(folder, 'train', name), 'utf8')) as {extra: Json}),
    );
    expect([names, all.flatMap((one) => check(one)), summary.records.train]).toEqual([
      [
        'sort~acme_2Flarge~fettle~1.json',
        'sum~acme_2Flarge~fettle~1.json',
        'sum~acme_2Flarge~fettle~2.json',
        'sum~acme_2Flarge~fettle~3.json',
      ],
      [],
      4,
    ]);
    expect(all[2]?.extra).toMatchObject({task: 'sum', attempt: 2, outcome: 'failed', reward: 0});
  });

  it('fits the schemas of the reference', async () => {
    for (const format of ['sft', 'preference', 'rl'] as const) {
      const {train, provenance} = await exported(format);
      expect([await schemaProblems(format, train), await schemaProblems('provenance', provenance)]).toEqual([[], []]);
      expect(lines(train)).toHaveLength(lines(provenance).length);
    }
  });

  it('holds no secret, and not the folder of the rollout', async () => {
    for (const format of ['sft', 'preference', 'rl'] as const) {
      const {train} = await exported(format);
      expect([train.includes('sk-ant-api03'), train.includes('/home/me'), train.includes('/workspace/a.txt')]).toEqual([
        false,
        false,
        true,
      ]);
    }
  });

  it.each([
    ['beside its working folder', '/home/me and you/.cache/lab-scratch/0123456789abcdef01234567', 'tree/src'],
    [
      'around a root of its own, which its working folder does not name',
      '/home/me/.cache/fettle/lab/scratch/0123456789abcdef01234567',
      undefined,
    ],
  ])('holds no folder of the person who ran it: the scratch folder %s', async (_, root, inside) => {
    const events = session(`All of it: ${root}/state/spool/output, not ${root}89/x.`, {
      cwd: inside === undefined ? '/app' : `${root}/${inside}`,
    });
    const {results: all, read} = triedRollouts([{task: 'sum', attempt: 1, outcome: 'passed', events}]);
    for (const format of ['sft', 'rl', 'atif'] as const) {
      const folder = join(await scratch(), 'out');
      await exportRollouts({run: runOf(all), format, read, folder}, SIGNAL);
      const files = await readdir(folder, {recursive: true, withFileTypes: true});
      const texts = await Promise.all(
        files.filter((one) => one.isFile()).map(async (one) => await readFile(join(one.parentPath, one.name), 'utf8')),
      );
      expect([format, texts.join('').match(/All of it: [^"]*?\/x\./)?.[0]]).toEqual([
        format,
        `All of it: /rollout/state/spool/output, not ${root}89/x.`,
      ]);
    }
  });

  it('says which rollouts have no log, and which no tools', async () => {
    const bare = session('Bare.')
      .filter(({type}) => type !== 'thread.frame')
      .map((event) => `${JSON.stringify(event)}\n`)
      .join('');
    const results = [
      result({artifacts: {'events.jsonl': 'bare'}}),
      result({key: {attempt: 2}, artifacts: {'events.jsonl': 'gone'}}),
      result({key: {attempt: 3}}),
    ];
    const {summary, train} = await exported('sft', results, storeOf({bare}));
    expect([summary.records.train, summary.leftOut, summary.withoutTools]).toEqual([1, {'no log': 2}, 1]);
    expect(loadChatFineTuning(train)[0]?.messages.map(({role}) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('takes the steps of a task one after the other, each with its reward', async () => {
    const store = storeOf({one: sessionLog(session('One.')), two: sessionLog(session('Two.', {prompt: 'Go on.'}))});
    const whole = result({
      steps: [
        {name: 'b', reward: 1},
        {name: 'a', reward: 0.5},
      ],
      reward: 0.75,
      artifacts: {'a/session.jsonl': 'two', 'b/session.jsonl': 'one'},
    });
    const {train, provenance} = await exported('rl', [whole], store);
    const rows = lines(train) as unknown as {reward: number; context: string; action: {content: string}}[];
    expect(rows.map(({reward, context, action}) => [action.content, context, reward])).toEqual([
      ['I look.', 'replace', 0],
      ['One.', 'append', 0.5],
      ['I look.', 'replace', 0],
      ['Two.', 'append', 0.25],
    ]);
    expect(lines(provenance)).toHaveLength(4);
    const sft = await exported('sft', [whole], store);
    expect(lines(sft.provenance)).toMatchObject([{step: 'b'}, {step: 'a'}]);
  });

  it('is new or not at all: a folder with something in it is refused, and files are private', async () => {
    const folder = await scratch({'train.jsonl': 'mine'});
    const request = {run: runOf(TRIED.results), format: 'sft', read: TRIED.read, folder} as const;
    await expect(exportRollouts(request, SIGNAL)).rejects.toMatchObject({code: 'USAGE', message: `${folder} is not empty.`});
    const {folder: made} = await exported('sft');
    expect((await stat(join(made, 'train.jsonl'))).mode & 0o777).toBe(0o600);
  });

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    const request = {run: runOf(TRIED.results), format: 'sft', read: TRIED.read, folder: join(await scratch(), 'x')} as const;
    await expect(exportRollouts(request, controller.signal)).rejects.toThrow();
  });
});
