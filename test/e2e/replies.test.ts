import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelScript, ScriptedAnswer, ScriptedStep} from '../../src/testing/index.ts';
import {scratch} from '../support/scratch.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, modelServer, place, type Finished, type Format, type Place} from './support.ts';

interface Run {
  readonly script: ModelScript;
  readonly format?: Format;
  /** The provider's own name of the model. */
  readonly model?: string;
  readonly args?: readonly string[];
  readonly mode?: string;
}

interface Ended extends Finished {
  readonly at: Place;
  readonly requests: readonly Record<string, unknown>[];
  readonly said: string;
}

async function run({script, format, model = 'model-1', args = [], mode = 'full-auto'}: Run): Promise<Ended> {
  const server = await modelServer(script, format);
  const at = await place({'a.txt': 'one\n'}, server.config);
  const ended = await sharedFettle(at, ['exec', '--mode', mode, '--no-sandbox', '-m', `test/${model}`, ...args, 'do it']);
  expect(server.violations).toEqual([]);
  const said = ended.stderr.split('\n').findLast((line) => line.startsWith('fettle: ')) ?? '';
  return {...ended, at, requests: server.requests.map(({body}) => body), said: said.replace(/^fettle: /, '')};
}

const CALL = '<tool_call>\n{"name": "bash", "arguments": {"command": "echo made > b.txt"}}\n</tool_call>';
const done: ScriptedAnswer = {text: 'Done.'};
const FORMATS: Format[] = ['openai-chat', 'anthropic', 'openai-responses', 'gemini'];

describe('a tool call written as text (issue › endings)', () => {
  it.each(FORMATS)('%s: is carried out, not shown as an answer, and goes back as a call', async (format) => {
    const script: ModelScript = [{reasoning: 'Hm.', text: CALL, chunkBytes: 7}, done];
    const {code, stdout, stderr, at, requests} = await run({script, format, model: format === 'gemini' ? 'gemini-3-qwen3' : 'qwen3-coder'});
    expect([code, stdout]).toEqual([0, 'Done.\n']);
    expect(await readFile(join(at.work, 'b.txt'), 'utf8')).toBe('made\n');
    expect(stderr).not.toContain('<tool_call>');
    expect(JSON.stringify(requests[1])).not.toContain('<tool_call>');
  });

  it('is told as a call: no text of it reaches a host, and the log keeps what was received', async () => {
    const {stdout} = await run({script: [{text: CALL, chunkBytes: 9}, done], model: 'qwen3-coder', args: ['--json']});
    const events = eventsOf({stdout, stderr: '', code: 0});
    const items = events.flatMap(({type, item}) => (type === 'item.completed' ? [item as Record<string, unknown>] : []));
    expect(
      items.map(({type, text, tool_name: tool, event, received, outcome}) => [type, text ?? tool ?? event, received ?? outcome]),
    ).toEqual([
      ['user_message', 'do it', undefined],
      ['harness', 'call_in_text', CALL],
      ['tool_invocation', 'bash', 'success'],
      ['command_execution', undefined, undefined],
      ['tool_output', 'bash', undefined],
      ['agent_message', 'Done.', undefined],
    ]);
    expect(events.filter(({type, delta}) => type === 'item.updated' && String(delta).includes('tool_call'))).toEqual([]);
  });

  it('needs the same permission as any call', async () => {
    const {code, stderr, at} = await run({script: [{text: CALL}, done], model: 'qwen3-coder', mode: 'ask'});
    expect([code, await readFile(join(at.work, 'b.txt'), 'utf8').catch(() => 'none')]).toEqual([3, 'none']);
    expect(stderr).toContain('denied: bash');
  });

  it('is written down so that the session can be resumed, replayed and exported', async () => {
    const {at} = await run({script: [{text: CALL}, done], model: 'qwen3-coder'});
    const listed = JSON.parse((await sharedFettle(at, ['sessions', 'list', '--json'])).stdout) as {threadId: string}[];
    const id = listed[0]?.threadId ?? '';
    const replayed = await sharedFettle(at, ['sessions', 'replay', id]);
    const atif = await sharedFettle(at, ['sessions', 'export', id, '--format', 'atif']);
    const steps = (JSON.parse(atif.stdout) as {steps: {tool_calls?: {function_name: string}[]}[]}).steps;
    expect([replayed.code, steps.flatMap(({tool_calls: calls = []}) => calls.map((call) => call.function_name))]).toEqual([0, ['bash']]);
  });

  it('of a file that the model was asked to print is an answer', async () => {
    const server = await modelServer([{toolCalls: [{name: 'read', arguments: {path: 'page.txt'}}]}, {text: CALL}]);
    const at = await place({'page.txt': `${CALL}\n`}, server.config);
    const {code, stdout} = await sharedFettle(at, [
      'exec',
      '--mode',
      'full-auto',
      '--no-sandbox',
      '-m',
      'test/qwen3-coder',
      'print page.txt',
    ]);
    expect([code, stdout, await readFile(join(at.work, 'b.txt'), 'utf8').catch(() => 'none')]).toEqual([0, `${CALL}\n`, 'none']);
  });

  it.each<[string, ScriptedAnswer, string]>([
    ['a model that is not known for the form', {text: CALL}, 'model-1'],
    ['arguments that do not fit', {text: CALL.replace('command', 'line')}, 'qwen3-coder'],
    ['words around it', {text: `I'll do that now.\n\n${CALL}`}, 'qwen3-coder'],
  ])('is sent back once: %s', async (_name, answer, model) => {
    const once = await run({script: [answer, done], model});
    expect([once.code, once.stdout, JSON.stringify(once.requests[1]).includes('It was not run. Call the tool through the API')]).toEqual([
      0,
      'Done.\n',
      true,
    ]);
    const twice = await run({script: [answer, answer, done], model, format: 'anthropic'});
    expect([twice.code, twice.stdout, twice.requests.length, twice.said]).toEqual([
      1,
      '',
      2,
      'The model wrote a tool call as text again; it was not run.',
    ]);
  });

  it('in the answer of a script is carried out, too', async () => {
    const folder = await scratch({'qwen.json': JSON.stringify({replies: [{text: CALL}, done]})});
    const at = await place({});
    const {code, stdout} = await sharedFettle(at, [
      'exec',
      '--mode',
      'full-auto',
      '--no-sandbox',
      '-m',
      `script:${join(folder, 'qwen.json')}`,
      'go',
    ]);
    expect([code, stdout, await readFile(join(at.work, 'b.txt'), 'utf8')]).toEqual([0, 'Done.\n', 'made\n']);
  });
});

describe('<think> is reasoning, not answer (issue › endings)', () => {
  it.each(FORMATS)('%s, in small pieces', async (format) => {
    const script: ModelScript = [{text: '<think>\nWhat is asked?\n</think>\n\nThe <think> tag is done.', chunkBytes: 5}];
    const {stdout} = await run({script, format, args: ['--json']});
    const said = eventsOf({stdout, stderr: '', code: 0}).flatMap(({type, item}) => {
      const {type: kind, text} = (item ?? {}) as Record<string, unknown>;
      return type === 'item.completed' && (kind === 'reasoning' || kind === 'agent_message') && text !== '' ? [[kind, text]] : [];
    });
    expect(said).toEqual([
      ['reasoning', 'What is asked?'],
      ['agent_message', 'The <think> tag is done.'],
    ]);
  });

  it('a reply of thinking alone is empty; one that is only closed begins inside of it', async () => {
    const {code, stdout, requests} = await run({script: [{text: '<think>Hm.</think>'}, {text: 'Hm. Hm.\n</think>\n\nDone.'}]});
    expect([code, stdout, requests.length]).toEqual([0, 'Done.\n', 2]);
  });
});

describe('empty replies (issue › endings: one is retried, three in a row end, exit 1)', () => {
  const empty: ScriptedAnswer = {text: ''};
  it.each<[string, ModelScript, Format, [number, number]]>([
    ['one', [empty, done], 'openai-chat', [0, 2]],
    ['two', [empty, {reasoning: 'Hm.'}, done], 'anthropic', [0, 3]],
    ['three', [empty, {text: ' \n'}, empty, done], 'openai-chat', [1, 3]],
    ['three', [empty, empty, empty, done], 'anthropic', [1, 3]],
    [
      'four, not in a row',
      [empty, empty, {toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]}, empty, empty, done],
      'openai-chat',
      [0, 6],
    ],
  ])('%s: %#', async (_name, script, format, expected) => {
    const {code, requests} = await run({script, format});
    expect([code, requests.length]).toEqual(expected);
  });
});

describe('what counts (issue › endings)', () => {
  it.each(FORMATS)('%s: a request that broke and was sent again counts and costs', async (format) => {
    const {stdout} = await run({script: [{text: 'half of it', halfStream: true}, done], format, args: ['--json']});
    const events = eventsOf({stdout, stderr: '', code: 0});
    const [completed] = events.filter(({type}) => type === 'turn.completed') as {num_requests: number; usage: {input_tokens: number}}[];
    const failed = events.filter(({type}) => type === 'request.failed') as {usage: {input_tokens: number}}[];
    expect([completed?.num_requests, failed.length]).toEqual([2, 1]);
    expect(completed?.usage.input_tokens).toBe(100 + (failed[0]?.usage.input_tokens ?? 0));
  });

  it('and it counts against the limits', async () => {
    const script: ModelScript = [{text: 'half', halfStream: true}, {toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]}, done];
    const {code, said, requests} = await run({script, args: ['--max-turns', '2']});
    expect([code, said, requests.length]).toEqual([4, 'The limit of 2 turns is reached.', 2]);
  });

  it('cached input counts a tenth against the limit of tokens', async () => {
    const read = (at: number): ScriptedStep => ({
      toolCalls: [{name: 'bash', arguments: {command: `echo ${at}`}}],
      usage: {input_tokens: 1000, cached_input_tokens: 900, output_tokens: 10},
    });
    const script = [...Array.from({length: 12}, (_, at) => read(at)), done];
    const within = await run({script, args: ['--max-tokens', '2600']});
    const beyond = await run({script, args: ['--max-tokens', '1000']});
    expect([within.code, beyond.code, beyond.said]).toEqual([
      0,
      4,
      'The limit of 1000 tokens is reached: 1000 were used (cached input counts a tenth).',
    ]);
  });

  it('64 calls of a reply are run; each other has a result that says why it was not', async () => {
    const results: string[] = [];
    const script: ModelScript = [
      {toolCalls: Array.from({length: 200}, (_, at) => ({name: 'bash', arguments: {command: `echo ${at} >> marks.txt`}}))},
      ({body}) => {
        results.push(
          ...(body['messages'] as {role: string; content: string}[]).filter(({role}) => role === 'tool').map(({content}) => content),
        );
        return done;
      },
    ];
    const {code, at} = await run({script});
    const marks = (await readFile(join(at.work, 'marks.txt'), 'utf8')).trim().split('\n');
    expect([code, marks.length, results.length, new Set(results.slice(64))]).toEqual([
      0,
      64,
      200,
      new Set(['Error: not run: limit of 64 a reply']),
    ]);
  });

  it('--max-cost without a known price is said once: a custom provider, a script, a variable', async () => {
    const note = /^.*No price is known for (\S+): (\S+) cannot hold it.*$/gm;
    const notes = (text: string): string[] =>
      [...text.matchAll(note)].map(([, model = '', setting = '']) => `${model.replace(/:.*\//, ':')} ${setting}`);
    const custom = await run({script: [done], args: ['--max-cost', '1']});
    const folder = await scratch({'s.json': JSON.stringify({replies: [done]})});
    const at = await place({});
    const model = `script:${join(folder, 's.json')}`;
    const script = await sharedFettle(at, ['exec', '-m', model, '--max-cost', '1', 'go']);
    const variable = await sharedFettle({...at, env: {...at.env, FETTLE_MAX_COST_USD: '1'}}, ['exec', '-m', model, 'go']);
    const without = await sharedFettle(at, ['exec', '-m', model, 'go']);
    expect([custom, script, variable, without].map(({stderr}) => notes(stderr))).toEqual([
      ['test/model-1 --max-cost'],
      ['script:s.json --max-cost'],
      ['script:s.json FETTLE_MAX_COST_USD'],
      [],
    ]);
  });

  it('--output-schema corrects three times', async () => {
    const folder = await scratch({'schema.json': JSON.stringify({type: 'object', properties: {ok: {type: 'boolean'}}, required: ['ok']})});
    const args = ['--output-schema', join(folder, 'schema.json')];
    const wrong: ScriptedAnswer = {text: 'no'};
    const right = await run({script: [wrong, wrong, wrong, {text: '{"ok":true}'}], args});
    const never = await run({script: [wrong, wrong, wrong, wrong, {text: '{"ok":true}'}], args, format: 'anthropic'});
    expect([right.code, right.stdout, never.code, never.requests.length]).toEqual([0, '{"ok":true}\n', 1, 4]);
  });
});
