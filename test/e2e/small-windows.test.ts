import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {ReceivedRequest, ScriptedStep} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, modelServer, place} from './support.ts';

const FILES = Object.fromEntries(
  Array.from({length: 10}, (_, at) => [`${at}.txt`, `number ${at}\n${'seven words of text in a line\n'.repeat(90)}`]),
);
const window = (tokens: number): string => `[context]\nwindow_tokens = ${tokens}\n`;

/** A task of 40 calls; whoever asks for a summary gets one, wherever that comes. Sizes are the characters of each request. */
function task(calls: number): {script: ScriptedStep[]; sizes: number[]} {
  const sizes: number[] = [];
  let at = 0;
  const next = (request: ReceivedRequest): ReturnType<Extract<ScriptedStep, (...args: never) => unknown>> => {
    const body = JSON.stringify(request.body);
    sizes.push(body.length);
    if (body.includes('<transcript>')) return {text: '## Done\n- read files'};
    at += 1;
    if (at > calls) return {text: 'All read.'};
    return {
      toolCalls: [
        at % 4 === 0 ? {name: 'bash', arguments: {command: 'seq 1 400'}} : {name: 'read', arguments: {path: `${at % 10}.txt`, offset: at}},
      ],
    };
  };
  return {script: Array.from({length: calls * 3}, () => next), sizes};
}

describe('a task of 40 turns in a small window (issue 14, 10)', () => {
  it.each([2048, 4096, 8192])('comes to its end in %i tokens', async (tokens) => {
    const {script, sizes} = task(40);
    const server = await modelServer(script);
    const at = await place(FILES, `${server.config}${window(tokens)}[limits]\nmax_turns = 200\n`);
    const run = await sharedFettle(at, ['exec', 'Read all the files, then say so.']);
    expect([run.code, run.stdout, server.violations]).toEqual([0, 'All read.\n', []]);
    // 3.5 characters make a token, and the body has names and quotes besides.
    expect(Math.max(...sizes)).toBeLessThan(tokens * 3.5 * 1.25);
  });

  it('what cannot fit is refused before the first request, with the share of each part', async () => {
    const server = await modelServer([{text: 'never'}]);
    const at = await place({}, `${server.config}${window(2048)}`);
    const run = await sharedFettle(at, ['exec', `Explain: ${'word '.repeat(3000)}`]);
    expect([run.code, server.requests.length]).toEqual([2, 0]);
    expect(run.stderr).toMatch(
      /The window of the model is 2,048 tokens, and this request needs about [\d,]+: [\d,]+ prompt and instructions, [\d,]+ tools, [\d,]+ conversation, 128 reply\. It was not sent\./,
    );
    expect(run.stderr).toContain('Send less text at once');
  });

  it('a refusal that names its window is learnt from, and remembered', async () => {
    const {script} = task(12);
    let refusals = 0;
    const limited = script.map((step): ScriptedStep => (request) => {
      if (JSON.stringify(request.body).length > 4096 * 3.5 * 1.25) {
        refusals += 1;
        return {status: 400, body: {error: {message: "This model's maximum context length is 4096 tokens. However, you requested more."}}};
      }
      return typeof step === 'function' ? step(request) : step;
    });
    const server = await modelServer([...limited, ...limited]);
    const at = await place(FILES, server.config);
    const run = await sharedFettle(at, ['exec', 'Read all the files, then say so.']);
    expect([run.code, run.stdout, refusals]).toEqual([0, 'All read.\n', 1]);
    const shown = await sharedFettle(at, ['context', 'show', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({window: {tokens: 4096, source: '4,096 tokens (as the server said earlier)'}});
  });

  it('a server that reads less than half of what it is sent is said to cut silently, once', async () => {
    const usage = {input_tokens: 600, output_tokens: 5};
    const server = await modelServer([
      {toolCalls: [{name: 'ls', arguments: {}}], usage},
      {text: 'Done.', usage},
    ]);
    const at = await place({}, server.config);
    const run = await sharedFettle(at, ['exec', '--json', `List. ${'word '.repeat(1500)}`]);
    const cuts = eventsOf(run).flatMap((event) => (JSON.stringify(event).includes('"silent_cut"') ? [event] : []));
    expect([run.code, cuts.length]).toEqual([0, 1]);
    expect(JSON.stringify(cuts[0])).toMatch(/The server read 600 of about [\d,]+ tokens: it silently truncates what does not fit\./);
  });
});

describe('the window that a local server says', () => {
  it.each<[what: string, answers: Readonly<Record<string, object>>, source: string]>([
    ['llama.cpp', {'/props': {default_generation_settings: {n_ctx: 4096}}}, '4,096 tokens (said by the server: /props n_ctx)'],
    ['vLLM', {'/v1/models': {data: [{id: 'm', max_model_len: 6000}]}}, '6,000 tokens (said by the server: /v1/models max_model_len)'],
    [
      'LM Studio',
      {'/api/v0/models': {data: [{id: 'm', loaded_context_length: 5000, max_context_length: 131_072}]}},
      '5,000 tokens (said by the server: /api/v0/models loaded_context_length)',
    ],
    [
      'Ollama, loaded',
      {'/api/ps': {models: [{name: 'm:latest', context_length: 32_768}]}},
      '32,768 tokens (said by the server: /api/ps context_length)',
    ],
    [
      'Ollama, model file',
      {'/api/show': {parameters: 'stop "x"\nnum_ctx                        8192', model_info: {'llama.context_length': 131_072}}},
      '8,192 tokens (said by the server: /api/show num_ctx)',
    ],
    [
      'Ollama, nothing set',
      {'/api/show': {model_info: {'llama.context_length': 131_072}}},
      '4,096 tokens (default of Ollama; set OLLAMA_CONTEXT_LENGTH where the server starts, or context.window_tokens)',
    ],
    [
      'Ollama, a small model',
      {'/api/show': {model_info: {'llama.context_length': 2048}}},
      '2,048 tokens (said by the server: /api/show context_length)',
    ],
    ['a server that says nonsense', {'/props': {n_ctx: -5}, '/v1/models': [1]}, '128,000 tokens (a guess; set context.window_tokens)'],
  ])('%s', async (_what, answers, source) => {
    const url = await answering(answers);
    const at = await place({}, `model = "house/m"\n[[custom_providers]]\nname = "house"\nformat = "openai-chat"\nbase_url = "${url}/v1"\n`);
    const shown = await sharedFettle(at, ['context', 'show', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({window: {source}});
  });

  it('takes the small toolset below 8,192 and says so, but for a person who named one', async () => {
    const url = await answering({'/props': {n_ctx: 4096}});
    const at = await place({}, `model = "llamacpp/m"\n[providers.llamacpp]\nbase_url = "${url}"\n`);
    const tools = (stdout: string): string[] =>
      (JSON.parse(stdout) as {parts: {kind: string; source: string}[]}).parts.filter(({kind}) => kind === 'tool').map(({source}) => source);
    const shown = await sharedFettle(at, ['context', 'show', '--json']);
    expect(tools(shown.stdout)).toEqual(['read', 'edit', 'write', 'grep', 'ls', 'bash']);
    expect(shown.stderr).toContain(
      'The window of llamacpp/m is 4,096 tokens (said by the server: /props n_ctx). The toolset small is used for it; --toolset fettle takes the usual one.',
    );
    const named = await sharedFettle(at, ['context', 'show', '--json', '--toolset', 'fettle']);
    expect([tools(named.stdout).includes('todo'), named.stderr]).toEqual([true, '']);
  });

  it('context.window_tokens wins, and nobody is asked', async () => {
    const url = await answering({'/props': {n_ctx: 4096}});
    const at = await place({}, `model = "llamacpp/m"\n${window(9000)}[providers.llamacpp]\nbase_url = "${url}"\n`);
    const shown = await sharedFettle(at, ['context', 'show', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({window: {tokens: 9000, source: '9,000 tokens (context.window_tokens)'}});
  });
});

/** A server that answers some paths with JSON, and all others with 404. */
async function answering(answers: Readonly<Record<string, object>>): Promise<string> {
  const server: Server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, {'content-type': 'application/json'}).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
