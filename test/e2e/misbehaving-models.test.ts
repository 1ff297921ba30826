import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelScript, ReceivedRequest, ScriptedAnswer, ScriptedStep} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {modelServer, place, type Place} from './support.ts';

const MOST = 250;

/** A model that does the same for ever; what it makes of the number of the request. */
function always(answer: (at: number) => ScriptedStep): ModelScript {
  return Array.from({length: MOST}, (_, at) => answer(at));
}

const calls = (...list: readonly (readonly [string, object | string, string?])[]): ScriptedAnswer => ({
  toolCalls: list.map(([name, args, id]) => ({name, arguments: args as string, ...(id === undefined ? {} : {id})})),
});
const mark = (more = ''): readonly [string, object] => ['bash', {command: `echo x >> marks.txt${more}`}];

interface Case {
  readonly script: ModelScript;
  readonly args?: readonly string[];
  readonly config?: string;
}

interface Ended {
  readonly code: number | null;
  readonly requests: number;
  readonly at: Place;
  readonly stdout: string;
  readonly said: string;
}

async function run({script, args = [], config = ''}: Case): Promise<Ended> {
  const server = await modelServer(script);
  const at = await place({'a.txt': 'one\n', 'b.txt': 'two\n'}, `${server.config}${config}`);
  const {code, stdout, stderr} = await sharedFettle(at, ['exec', '--mode', 'full-auto', '--no-sandbox', ...args, 'do it']);
  expect(server.violations).toEqual([]);
  const said = stderr.split('\n').findLast((line) => line.startsWith('fettle: ')) ?? '';
  return {
    code,
    requests: server.requests.length,
    at,
    stdout,
    said: said
      .replace(/^fettle: /, '')
      .replace(/:\d{4,5}/, ':PORT')
      .replace(/ after \d+\.\d s/, '')
      .slice(0, 70),
  };
}

async function marks({work}: Place): Promise<number> {
  return (await readFile(join(work, 'marks.txt'), 'utf8').catch(() => '')).split('\n').length - 1;
}

/** In one piece: a server sends words one by one, each in a frame of its own. */
const big = 'x'.repeat(5_000_000);

describe('models that misbehave: a run ends by itself, within its limits, and its exit code tells (issue › scripted models)', () => {
  it.each<[string, Case, Omit<Ended, 'at' | 'stdout'>]>([
    [
      'the same call for ever',
      {script: always(() => calls(['read', {path: 'a.txt'}]))},
      {code: 5, requests: 5, said: 'Not run: the same call returned the same result 4 times in a row.'},
    ],
    [
      'a circle of two calls',
      {script: always((at) => calls(['read', {path: at % 2 === 0 ? 'a.txt' : 'b.txt'}]))},
      {code: 5, requests: 10, said: 'Not run: the same call returned the same result 4 times in a row.'},
    ],
    [
      'JSON that is broken in the same way for ever',
      {script: always(() => calls(['read', '{"path": "a.t']))},
      {code: 5, requests: 5, said: 'Not run: the same call returned the same result 4 times in a row.'},
    ],
    [
      'JSON that is broken in another way each time',
      {script: always((at) => calls(['read', `{"path": "${at}`]))},
      {code: 5, requests: 16, said: 'No progress: the last 16 calls all failed.'},
    ],
    [
      'tools that do not exist, another one each time',
      {script: always((at) => calls([`tool_${at}`, {}]))},
      {code: 5, requests: 14, said: 'No progress: the last 13 replies brought nothing new. What was called:'},
    ],
    [
      'files that do not exist, another one each time',
      {script: always((at) => calls(['read', {path: `${at}.md`}]))},
      {code: 5, requests: 14, said: 'No progress: the last 13 replies brought nothing new. What was called:'},
    ],
    [
      'empty replies',
      {script: always(() => ({text: ''}))},
      {code: 1, requests: 3, said: 'The model ended without an answer, 3 times in a row.'},
    ],
    [
      'nothing but reasoning',
      {script: always(() => ({reasoning: 'Let me think.'}))},
      {code: 1, requests: 3, said: 'The model ended without an answer, 3 times in a row.'},
    ],
    [
      'reasoning up to the limit of a reply',
      {script: always(() => ({reasoning: big, stop: 'max_tokens'}))},
      {code: 4, requests: 3, said: 'The answer was cut off: the model reached its output limit.'},
    ],
    [
      'reasoning without end',
      {script: always(() => ({reasoning: 'Hm. '.repeat(50), stallAfter: 20})), args: ['--max-time', '0.5']},
      {code: 4, requests: 1, said: 'The limit of 0.5 s is reached.'},
    ],
    [
      '"done" before it is: what verifies fails',
      {script: always(() => ({text: 'All done.'})), args: ['--verify', 'exit 3']},
      {code: 6, requests: 2, said: '`exit 3` exited with 3. Nothing has changed since it was said.'},
    ],
    [
      '"done" with an open task list',
      {script: [calls(['todo', {todos: [{content: 'Do it', status: 'pending'}]}]), ...always(() => ({text: 'All done.'}))]},
      {code: 6, requests: 3, said: 'The task list has 1 open item. Nothing has changed since it was said.'},
    ],
    [
      'calls though it was told that the turn ends',
      {script: always((at) => calls(['bash', {command: `echo ${at}`}])), args: ['--max-turns', '3']},
      {code: 4, requests: 3, said: 'The limit of 3 turns is reached.'},
    ],
    [
      'a stream of garbage',
      {script: always(() => ({garbage: 'data: {"choices": [{"delta":\n\n'}))},
      {code: 7, requests: 2, said: 'test: The server sent an event that is not JSON.'},
    ],
    [
      'a stream that breaks off',
      {script: always(() => ({text: 'half of it', halfStream: true}))},
      {code: 7, requests: 2, said: 'The connection to test at http://127.0.0.1:PORT/v1 failed: aborted'},
    ],
    ['a stop that says calls, and none', {script: always(() => ({text: 'Yes.', stop: 'tool_calls'}))}, {code: 0, requests: 1, said: ''}],
  ])('%s', async (_name, given, expected) => {
    const {code, requests, said} = await run(given);
    expect({code, requests, said}).toEqual(expected);
  });

  it('an answer of 5 MB comes out whole', async () => {
    const {code, stdout} = await run({script: [{text: big}]});
    expect([code, stdout.length]).toEqual([0, big.length + 1]);
  });

  it('the same call 10,000 times in one reply is not done 10,000 times', async () => {
    const {code, at, requests} = await run({script: [calls(...Array.from({length: 10_000}, () => mark()))]});
    expect([code, requests, await marks(at)]).toEqual([5, 1, 4]);
  });

  it('10,000 different calls in one reply: each has its answer, in one request', {timeout: 120_000}, async () => {
    const answers: number[] = [];
    const count = ({body}: ReceivedRequest): ScriptedAnswer => {
      answers.push((body['messages'] as {role: string}[]).filter(({role}) => role === 'tool').length);
      return {text: 'Done.'};
    };
    const many = Array.from({length: 10_000}, (_, at) => ['read', {path: `${at}.txt`}] as const);
    const {code, requests} = await run({script: [calls(...many), count], config: '[context]\ncompact_at = 1\n'});
    expect([code, requests, answers]).toEqual([0, 2, [10_000]]);
  });

  it('calls with one id: each is done once, and has its own result', async () => {
    const {code, at} = await run({
      script: [calls([...mark(), 'same'], [...mark(' # 2'), 'same'], [...mark(' # 3'), 'same']), {text: 'Done.'}],
    });
    expect([code, await marks(at)]).toEqual([0, 3]);
  });

  it('calls that contradict each other: in their order, and the model is told which failed', async () => {
    const edit = (to: string): readonly [string, object] => ['edit', {path: 'a.txt', old_string: 'one', new_string: to}];
    const results: string[] = [];
    const script: ModelScript = [
      calls(
        edit('first'),
        edit('second'),
        ['write', {path: 'b.txt', content: 'new\n'}],
        ['bash', {command: 'rm b.txt'}],
        ['read', {path: 'b.txt'}],
      ),
      ({body}) => {
        const messages = body['messages'] as {role: string; content: string}[];
        results.push(...messages.filter(({role}) => role === 'tool').map(({content}) => content.split('\n')[0]?.slice(0, 60) ?? ''));
        return {text: 'Done.'};
      },
    ];
    const {code, at} = await run({script});
    expect([code, await readFile(join(at.work, 'a.txt'), 'utf8'), results]).toEqual([
      0,
      'first\n',
      [
        'Edited a.txt: 1 replacement.',
        'Error: The old text is not in the file. It must match exactl',
        'Replaced b.txt (4 bytes).',
        '(no output)',
        'Error: b.txt does not exist.',
      ],
    ]);
  });

  it('calls in the reply that should summarise are not done; the session goes on', async () => {
    const files = Array.from({length: 8}, (_, at) => calls(['bash', {command: `seq ${at}000 ${at}900`}]));
    let at = 0;
    const step: ScriptedStep = ({body}) => {
      if (JSON.stringify(body).includes('<transcript>')) return calls(mark());
      at += 1;
      return files[at - 1] ?? {text: 'Done.'};
    };
    const ended = await run({script: always(() => step), config: '[context]\nwindow_tokens = 9000\n'});
    expect([ended.code, ended.stdout, await marks(ended.at)]).toEqual([0, 'Done.\n', 0]);
  });
});
