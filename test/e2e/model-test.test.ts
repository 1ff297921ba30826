import {describe, expect, it} from 'vitest';
import type {ModelScript, ReceivedRequest, ScriptedReply, ScriptedStep} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {FORMATS, modelServer, place, type Finished, type Format} from './support.ts';

const usage = {input_tokens: 4500, output_tokens: 12};
const read: ScriptedReply = {toolCalls: [{name: 'read', arguments: {path: 'fettle-test.txt'}}], usage};
const said = (text: string): ScriptedReply => ({text, usage});
const ANSWER = said('The word is "Persimmon".');
const call = (name: string, args: object): ScriptedReply => ({toolCalls: [{name, arguments: {...args}}], usage});
const refused =
  (status: number, message: string): ScriptedStep =>
  () => ({status, body: {error: {message}}});
/** As servers without a tool-call parser: what has no tools is answered. */
const withoutTools =
  (status: number, message: string): ScriptedStep =>
  ({body}: ReceivedRequest) =>
    Array.isArray(body['tools']) && body['tools'].length > 0 ? {status, body: {error: {message}}} : said('I see no file.');
const window = (tokens: number): string => `[context]\nwindow_tokens = ${tokens}\n`;

interface Reported {
  readonly ok: boolean;
  readonly fault: {readonly code: string; readonly message: string; readonly hint: string | null} | null;
  readonly [field: string]: unknown;
}

function reported({stdout}: Finished): Reported {
  return JSON.parse(stdout) as Reported;
}

async function tested(script: ModelScript, config = '', args: readonly string[] = []) {
  const server = await modelServer(script);
  const at = await place({'AGENTS.md': 'Be kind.\n'}, `${server.config.replace('retries = 1', 'retries = 0')}${config}`);
  const run = await sharedFettle(at, ['models', 'test', '--json', ...args]);
  return {at, server, run, report: reported(run)};
}

describe('models test: a model that a run can go on with', () => {
  it('is sent the prompt and the tools of a run, calls one, and answers from its result; nothing is run', async () => {
    const {at, server, run, report} = await tested([read, ANSWER, said('Hello.')]);
    expect(run.code).toBe(0);
    expect(report).toEqual({
      model: 'test/model-1',
      ok: true,
      fault: null,
      window: {tokens: 128_000, source: 'guess', from: null, is_assumed: false},
      prompt: {toolset: 'fettle', tools: expect.any(Number), estimated_tokens: expect.any(Number), reported_tokens: 4500},
      tool_call: {form: 'native', name: 'read', arguments: '{"path":"fettle-test.txt"}'},
      answer: 'The word is "Persimmon".',
      speed: {first_token_s: expect.any(Number), tokens_per_s: null},
      usage: {input_tokens: 9000, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 24, reasoning_tokens: 0},
      cost_usd: null,
      notes: [],
    });
    await sharedFettle(at, ['exec', 'Hello.']);
    const bodies = server.requests.map(({body}) => body as unknown as {messages: {role: string; content: string}[]; tools: object[]});
    const [first, second, ofRun] = bodies;
    expect([server.violations, bodies.length]).toEqual([[], 3]);
    expect([first?.messages[0], first?.tools, report['prompt']]).toEqual([
      ofRun?.messages[0],
      ofRun?.tools,
      expect.objectContaining({tools: ofRun?.tools.length}),
    ]);
    expect(first?.messages.slice(1)).toEqual([
      {role: 'user', content: 'Use the tool read to look at the file fettle-test.txt. Then reply with the one word in it.'},
    ]);
    expect(second?.messages.at(-1)).toMatchObject({role: 'tool', content: 'persimmon'});
  });

  it.each(Object.keys(FORMATS) as Format[])('speaks %s', async (format) => {
    const server = await modelServer([read, ANSWER], format);
    const run = await sharedFettle(await place({}, server.config), ['models', 'test', '--json']);
    expect([run.code, reported(run).ok, server.violations]).toEqual([0, true, []]);
  });

  it.each<[what: string, script: ModelScript, config: string, args: readonly string[], expected: object]>([
    [
      'a call written as text, in the form of the family of the model',
      [said('<tool_call>\n{"name": "read", "arguments": {"path": "fettle-test.txt"}}\n</tool_call>'), ANSWER],
      '',
      ['test/qwen3-coder'],
      {
        tool_call: {form: 'text', name: 'read', arguments: '{"path":"fettle-test.txt"}'},
        notes: [
          'The model wrote its call as text. Fettle reads such calls; with the tool-call parser of the server they fail less often (llama.cpp: --jinja, vLLM: --tool-call-parser).',
        ],
      },
    ],
    [
      'another call first, which is not run',
      [call('bash', {command: 'touch made.txt'}), read, ANSWER],
      '',
      [],
      {tool_call: {form: 'native', name: 'read', arguments: '{"path":"fettle-test.txt"}'}},
    ],
    [
      'a server that does not count',
      [
        {...read, usage: {input_tokens: 0}},
        {...ANSWER, usage: {input_tokens: 0}},
      ],
      '',
      [],
      {
        prompt: expect.objectContaining({reported_tokens: null}),
        notes: ['The server does not count tokens: silent truncation cannot be detected.'],
      },
    ],
    [
      'a small window, with the tools that fit it',
      [
        {...read, usage: {input_tokens: 600}},
        {...ANSWER, usage: {input_tokens: 600}},
      ],
      window(2048),
      [],
      {
        window: {tokens: 2048, source: 'settings', from: null, is_assumed: false},
        prompt: {toolset: 'small', tools: 6, estimated_tokens: expect.any(Number), reported_tokens: 600},
        notes: [
          'The window of test/model-1 is 2,048 tokens (context.window_tokens). The toolset small is used for it; --toolset fettle takes the usual one.',
        ],
      },
    ],
    [
      'the tools of another toolset',
      [call('read_file', {file_path: 'fettle-test.txt'}), ANSWER],
      '',
      ['--toolset', 'blade'],
      {tool_call: {form: 'native', name: 'read_file', arguments: '{"file_path":"fettle-test.txt"}'}},
    ],
  ])('%s', async (_what, script, config, args, expected) => {
    const {run, server, report} = await tested(script, config, args);
    expect([run.code, server.violations, report.fault]).toEqual([0, [], null]);
    expect(report).toMatchObject(expected);
  });

  it('shows it to people, and what a model sends has no power over the terminal', async () => {
    const server = await modelServer([read, said('persimmon \u001b[2J')]);
    const run = await sharedFettle(await place({}, server.config), ['models', 'test']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    const shown = run.stdout.replace(/then [\d.]+ tokens\/s/, 'the rest at once');
    expect(shown.replaceAll(/about [\d,]+|\d+ tools|after [\d.]+ s/g, (found) => found.replaceAll(/[\d,.]+/g, 'N'))).toBe(
      [
        'model      test/model-1',
        'window     128,000 tokens (a guess; set context.window_tokens)',
        'prompt     about N tokens, 4,500 as the server counts (N tools of the toolset fettle)',
        'tool call  read {"path":"fettle-test.txt"} (native)',
        'answer     "persimmon \\u001b[2J"',
        'speed      first token after N s, the rest at once',
        'used       9,000 tokens in, 24 out, price unknown',
        'result     ok',
        '',
      ].join('\n'),
    );
  });
});

const JINJA = 'tools param requires --jinja flag';
const TOOLS_HINT =
  'Switch on tool calls in the server (llama.cpp: --jinja, vLLM: --enable-auto-tool-choice and --tool-call-parser), or use a model that is made for them.';
const RESULTS_HINT =
  'Does the chat template of the server pass the results of tools on? Use that of the maker of the model, or another model.';

interface Red {
  readonly what: string;
  readonly script: ModelScript;
  readonly config?: string;
  readonly args?: readonly string[];
  readonly exit: number;
  readonly code: string;
  readonly message: RegExp;
  readonly hint: RegExp | string;
  readonly requests: number;
}

const REDS: readonly Red[] = [
  {
    what: 'an empty answer',
    script: [{text: '', usage}],
    exit: 1,
    code: 'empty_answer',
    message: /^The answer of the model is empty\.$/,
    hint: /chat template/,
    requests: 1,
  },
  {
    what: 'an empty answer behind the call',
    script: [read, {text: ' \n', usage}],
    exit: 1,
    code: 'empty_answer',
    message: /^The answer of the model is empty\.$/,
    hint: /chat template/,
    requests: 2,
  },
  {
    what: 'thinking up to the output limit',
    script: [{reasoning: 'Hm, hm.', stop: 'max_tokens', usage}],
    exit: 1,
    code: 'empty_answer',
    message: /^The model reached its output limit before it said anything\.$/,
    hint: /num_predict/,
    requests: 1,
  },
  {
    what: 'a server that refuses tools',
    script: [withoutTools(400, 'registry.ollama.ai/library/gemma:2b does not support tools'), withoutTools(400, '')],
    exit: 7,
    code: 'tools_refused',
    message: /^The server accepts the prompt, but not with tools\. test did not accept the request \(400\): .* does not support tools$/,
    hint: TOOLS_HINT,
    requests: 2,
  },
  {
    what: 'a server that breaks on tools',
    script: [withoutTools(500, JINJA), withoutTools(500, JINJA)],
    exit: 7,
    code: 'tools_refused',
    message: /^The server accepts the prompt, but not with tools\. .*--jinja flag$/,
    hint: TOOLS_HINT,
    requests: 2,
  },
  {
    what: 'a server that refuses everything',
    script: [refused(400, 'bad request'), refused(400, 'bad request')],
    exit: 7,
    code: 'provider_error',
    message: /^test did not accept the request \(400\): bad request$/,
    hint: 'Check `format` and `base_url` of the provider entry.',
    requests: 2,
  },
  {
    what: 'a wrong key: it is not asked a second time',
    script: [refused(401, 'no')],
    exit: 7,
    code: 'provider_error',
    message: /^test did not accept the key \(401\): no$/,
    hint: /api_key_env/,
    requests: 1,
  },
  {
    what: 'words instead of a call',
    script: [said('I cannot see files, sorry.')],
    exit: 1,
    code: 'no_call',
    message: /^The model was asked to call read with fettle-test\.txt, and answered "I cannot see files, sorry\."\.$/,
    hint: TOOLS_HINT,
    requests: 1,
  },
  {
    what: 'other calls, again and again',
    script: [1, 2, 3, 4].map((at) => call('ls', {path: `${at}`})),
    exit: 1,
    code: 'no_call',
    message: /^The model was asked to call read with fettle-test\.txt, and called ls with "\{\\"path\\":\\"1\\"\}"\.$/,
    hint: /larger model/,
    requests: 4,
  },
  {
    what: 'a call as text that cannot be read',
    script: [said('<tool_call>\n{"name": "read", "arguments": {"path": \n')],
    exit: 1,
    code: 'unclear_call',
    message: /^The model wrote a tool call as text that cannot be read: "<tool_call> .*"\.$/,
    hint: TOOLS_HINT,
    requests: 1,
  },
  {
    what: 'the same call for ever',
    script: [read, read, read, read],
    exit: 1,
    code: 'no_answer',
    message: /^The model got its result but only called tools again, for 4 requests\.$/,
    hint: RESULTS_HINT,
    requests: 4,
  },
  {
    what: 'an answer without the result',
    script: [read, said('The word is apple.')],
    exit: 1,
    code: 'result_unused',
    message: /^The answer does not contain the result of the tool: "The word is apple\."\.$/,
    hint: RESULTS_HINT,
    requests: 2,
  },
  {
    what: 'a window too small for the prompt',
    script: [],
    config: window(1024),
    args: ['--toolset', 'fettle'],
    exit: 2,
    code: 'window_too_small',
    message: /^The window of the model is 1,024 tokens, and this request needs about [\d,]+: .* It was not sent\.$/,
    hint: /--toolset small/,
    requests: 0,
  },
  {
    what: 'a refusal of the length',
    script: [refused(400, "This model's maximum context length is 4096 tokens. However, you requested more.")],
    exit: 2,
    code: 'window_too_small',
    message: /^test cannot take a conversation of this length \(400\): .*4096 tokens/,
    hint: /larger context, or use --toolset small/,
    requests: 1,
  },
  {
    what: 'a server that cuts silently',
    script: [{...read, usage: {input_tokens: 600}}],
    exit: 1,
    code: 'silent_cut',
    message: /^The server read 600 of about [\d,]+ tokens: it silently truncates what does not fit\.$/,
    hint: /OLLAMA_CONTEXT_LENGTH.*context\.window_tokens.*cache/,
    requests: 1,
  },
  {
    what: 'a stream that breaks off',
    script: [{...ANSWER, halfStream: true}],
    exit: 7,
    code: 'provider_error',
    message: /^(?:test|The connection to test)/,
    hint: /./,
    requests: 1,
  },
];

describe('models test: a model that a run would fail with', () => {
  it.each(REDS.map((red) => [red.what, red] as const))('%s', async (_what, {script, config, args, ...red}) => {
    const {run, server, report} = await tested(script, config, args);
    expect([run.code, report.ok, report.fault?.code, server.requests.length]).toEqual([red.exit, false, red.code, red.requests]);
    expect([server.violations, report.fault?.message, report.fault?.hint]).toEqual([
      [],
      expect.stringMatching(red.message),
      typeof red.hint === 'string' ? red.hint : expect.stringMatching(red.hint),
    ]);
  });

  it('says it in words: what happened, and what to do', async () => {
    const server = await modelServer([said('No.')]);
    const run = await sharedFettle(await place({}, server.config), ['models', 'test']);
    expect([run.code, run.stdout.split('\n').at(-2), run.stderr]).toEqual([
      1,
      'result     failed: no_call',
      `fettle: The model was asked to call read with fettle-test.txt, and answered "No.".\n  hint: ${TOOLS_HINT}\n`,
    ]);
  });

  it('a window that a refusal names is remembered', async () => {
    const {at, report} = await tested([refused(400, "This model's maximum context length is 4096 tokens. However, you requested more.")]);
    expect(report['window']).toEqual({tokens: 4096, source: 'refusal', from: null, is_assumed: false});
    const shown = await sharedFettle(at, ['context', 'show', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({window: {source: '4,096 tokens (as the server said earlier)'}});
  });

  it('a server that is not there', async () => {
    const at = await place({}, 'model = "ollama/m"\n[provider_limits]\nretries = 0\n[providers.ollama]\nbase_url = "http://127.0.0.1:1"\n');
    const run = await sharedFettle(at, ['models', 'test', '--json']);
    expect([run.code, reported(run).fault]).toEqual([
      7,
      {
        code: 'provider_error',
        message: expect.stringMatching(/^The connection to ollama at http:\/\/127\.0\.0\.1:1\/v1 failed: /),
        hint: 'Nothing listens at that address: is the server running, and is the base URL right?',
      },
    ]);
  });

  it('no model', async () => {
    const run = await sharedFettle(await place(), ['models', 'test']);
    expect([run.code, run.stderr.split('\n', 1)[0]]).toEqual([2, 'fettle: No model is configured.']);
  });
});
