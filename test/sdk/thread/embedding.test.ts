import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {
  loadSettings,
  openThread,
  type AssistantMessage,
  type ModelEvent,
  type ModelRequest,
  type PlacedThreadOptions,
  type Provider,
  type ThreadPlugin,
  type ThreadEvent,
} from '../../../src/sdk/index.ts';
import {defineCustomTool, z, type CustomTool} from '../../../src/tools/index.ts';
import {startModelServer} from '../../../src/testing/index.ts';
import {scratch} from '../../support/scratch.ts';

const {signal} = new AbortController();
const USAGE = {input_tokens: 10, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 5, reasoning_tokens: 0};

type Part = AssistantMessage['parts'][number];

const text = (words: string): Part => ({type: 'text', text: words});
const call = (name: string, input: object): Part => ({type: 'tool_call', id: `call_${name}`, name, arguments: JSON.stringify(input)});

/** Replies with each of these in turn, and keeps what it was asked. */
function scripted(...replies: readonly Part[][]) {
  const requests: ModelRequest[] = [];
  const provider: Provider = {
    model: 'mine/model',
    async *stream(request): AsyncGenerator<ModelEvent> {
      const parts = replies[requests.length] ?? [];
      requests.push(request);
      const stopReason = parts.some(({type}) => type === 'tool_call') ? 'tool_calls' : 'end';
      yield {type: 'done', reply: {message: {role: 'assistant', parts}, stopReason, usage: USAGE, costUsd: 0.25, retries: 0}};
    },
  };
  return {provider, requests};
}

const asked: string[] = [];

const weather = defineCustomTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  args: z.object({city: z.string()}),
  result: z.object({degrees: z.number()}),
  sideEffect: 'read',
  async run({city}) {
    asked.push(city);
    return {degrees: 21};
  },
});

async function opened(options: Omit<PlacedThreadOptions, 'cwd' | 'model'>) {
  const [cwd, home] = [await scratch({'a.txt': 'old\n'}), await scratch()];
  const events: ThreadEvent[] = [];
  const onEvent = (event: ThreadEvent): void => void events.push(event);
  const env = {PATH: process.env['PATH'], FETTLE_HOME: home};
  const thread = await openThread({env, home, sandbox: 'off', onEvent, ...options, cwd} as PlacedThreadOptions, signal);
  onTestFinished(async () => void (await thread.close().catch(() => undefined)));
  return {thread, events, cwd, home};
}

/** The code and the message of what was thrown. */
async function refusal(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => 'nothing was thrown',
    (error: unknown) => (isFettleError(error) ? `${error.code} ${error.message}` : String(error)),
  );
}

describe('issue 16: openThread({cwd, provider, tools}): what a program has stands as values', () => {
  it('runs the tool, sends its result to the provider, and needs no model and no key', async () => {
    const {provider, requests} = scripted([call('weather', {city: 'Oslo'})], [text('21 degrees.')]);
    const {thread, events, cwd} = await opened({provider, tools: [weather], rules: {allow: ['weather']}});
    const result = await thread.run('How warm is it in Oslo?', signal);
    expect([result.outcome, result.text, asked.splice(0), requests.length]).toEqual(['success', '21 degrees.', ['Oslo'], 2]);
    expect(requests[0]?.tools.filter(({name}) => name === 'weather').map(({description}) => description)).toEqual([
      'Tells the weather of a city.',
    ]);
    expect(requests[1]?.messages.at(-1)).toMatchObject({role: 'tool', results: [{name: 'weather', text: 'degrees: 21', isError: false}]});
    const started = events.find((event) => event.type === 'thread.started');
    expect(started).toMatchObject({model: 'mine/model', cwd, toolset: 'fettle'});
  });

  it('asks the approval function about an edit, and does what it says', async () => {
    const write = (path: string): Part[] => [call('write', {path, content: 'new\n'})];
    const {provider} = scripted(write('b.txt'), write('c.txt'), [text('Done.')]);
    const questions: string[] = [];
    const approve: PlacedThreadOptions['approve'] = async ({toolName}) => ({
      decision: questions.push(toolName) === 1 ? 'allow' : 'deny',
    });
    const {thread, cwd} = await opened({provider, mode: 'ask', approve});
    const {outcome} = await thread.run('Write b.txt and c.txt.', signal);
    expect([questions, outcome, await readFile(join(cwd, 'b.txt'), 'utf8'), existsSync(join(cwd, 'c.txt'))]).toEqual([
      ['write', 'write'],
      'denied',
      'new\n',
      false,
    ]);
  });

  it('takes limits and rules as numbers and texts, not as flags', async () => {
    const {provider} = scripted([call('weather', {city: 'Oslo'})], [text('Never asked for.')]);
    const {thread} = await opened({provider, tools: [weather], rules: {deny: ['weather']}, limits: {turns: 1, timeMs: 60_000}});
    const result = await thread.run('x', signal);
    expect([result.outcome, asked.splice(0)]).toEqual(['turn_limit_reached', []]);
  });

  it.each<[string, readonly unknown[], string]>([
    ['no tool', [{name: 'x'}], 'BAD_ARGS tools[0]: it is not what defineCustomTool() returns.'],
    ['no name', [{...weather, name: undefined}], 'BAD_ARGS tools[0]: it needs a name.'],
    ['a broken one', [{...weather, description: ''}], 'BAD_ARGS weather: description must be a text.'],
    ['two of a name', [weather, weather], 'BAD_ARGS weather: there are two of this name.'],
    ['the name of a built-in tool', [{...weather, name: 'read'}], 'BAD_ARGS read is a built-in tool.'],
  ])('refuses %s', async (_, tools, message) => {
    expect(await refusal(opened({provider: scripted().provider, tools: tools as readonly CustomTool[]}))).toBe(message);
  });

  it('a wrong setting is told of by the name of its option', async () => {
    expect(await refusal(opened({provider: scripted().provider, limits: {turns: 0}}))).toContain('CONFIG option limits.turns: ');
  });

  it.each<[string, Provider['stream'], string]>([
    [
      'throws',
      async function* () {
        yield* [];
        throw new Error('no route');
      },
      'The provider threw: no route',
    ],
    [
      'ends without a reply',
      async function* () {
        yield {type: 'text', delta: 'Hal'} as const;
      },
      'The provider ended its stream without a reply.',
    ],
  ])('a provider that %s fails the turn, and nothing else', async (_, stream, message) => {
    const {thread} = await opened({provider: {model: 'mine/model', stream}});
    const result = await thread.run('x', signal);
    expect([result.outcome, result.message]).toEqual(['provider_error', message]);
  });

  it('a tool of the program is resumed with the session', async () => {
    const first = scripted([text('One.')]);
    const {thread, home, cwd} = await opened({provider: first.provider, tools: [weather]});
    await thread.close(await thread.run('first', signal));
    const second = scripted([text('Two.')]);
    const env = {FETTLE_HOME: home};
    const again = await openThread({cwd, env, home, provider: second.provider, resume: {id: thread.id}}, signal);
    await again.close(await again.run('second', signal));
    const said = second.requests[0]?.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
    expect(said).toEqual(['first', 'second']);
  });
});

describe('issue 16: openThread({plugins})', () => {
  it('a plugin changes requests, sees calls and events, sends an answer back, and is told of the end', async () => {
    const {provider, requests} = scripted([call('weather', {city: 'Oslo'})], [text('No.')], [text('21 degrees.')]);
    const said: string[] = [];
    const plugin: ThreadPlugin = {
      name: 'mine',
      onRedactedEvent: (event) => void (event.type.startsWith('turn.') && said.push(event.type)),
      wrapRequest: (request) => async (until) => {
        const made = await request(until);
        return {...made, system: 'Mine.'};
      },
      wrapTools: (run) => async (calls, turnId, until) => {
        said.push(...calls.map(({call: {name}}) => name));
        return await run(calls, turnId, until);
      },
      judgePrompt: async () => ({context: ['It is autumn.']}),
      judgeEnd: async (answer) => (answer.text === 'No.' ? {feedback: 'Say it in degrees.'} : undefined),
      close: (result) => void said.push(`closed ${result?.outcome}`),
    };
    const {thread, events} = await opened({provider, tools: [weather], rules: {allow: ['weather']}, plugins: [plugin]});
    const result = await thread.run('How warm is it?', signal);
    await thread.close(result);
    asked.splice(0);
    expect([result.text, said]).toEqual(['21 degrees.', ['turn.started', 'weather', 'turn.completed', 'closed success']]);
    expect(requests.map(({system}) => system)).toEqual(['Mine.', 'Mine.', 'Mine.']);
    const told = requests[2]?.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
    expect([told?.some((words) => words.includes('It is autumn.')), told?.at(-1)]).toEqual([true, 'Say it in degrees.']);
    expect(events.at(-1)?.type).toBe('thread.completed');
  });

  it('one that throws when it is closed leaves the log whole', async () => {
    const {provider} = scripted([text('One.')]);
    const close = (): never => {
      throw new Error('not today');
    };
    const {thread, events} = await opened({provider, plugins: [{name: 'mine', close}]});
    const result = await thread.run('x', signal);
    const message = await thread.close(result).catch((error: unknown) => String(error));
    expect([message, events.at(-1)?.type]).toEqual(['Error: not today', 'thread.completed']);
  });
});

describe('issue 16: openThread({cwd, model})', () => {
  it('opens the model by its name, with settings as types and not as flags', async () => {
    const server = await startModelServer([{toolCalls: [{name: 'weather', arguments: {city: 'Bergen'}}]}, {text: 'Warm.'}]);
    onTestFinished(() => server.close());
    const [cwd, home] = [await scratch(), await scratch()];
    const env = {PATH: process.env['PATH'], FETTLE_HOME: home, OLLAMA_BASE_URL: server.url};
    const options = {cwd, env, home, model: 'ollama/model', tools: [weather], mode: 'full-auto', sandbox: 'off'} as const;
    const thread = await openThread(options, signal);
    const result = await thread.run('How warm?', signal);
    await thread.close(result);
    expect([result.text, asked.splice(0), server.requests.length]).toEqual(['Warm.', ['Bergen'], 2]);
  });

  it('loadSettings needs no more than the folder', async () => {
    const cwd = await scratch();
    const {settings, home, env} = await loadSettings({cwd, model: 'ollama/model', limits: {timeMs: 1500}});
    expect([settings.model, settings.limits.max_time_s, env]).toEqual(['ollama/model', 1.5, process.env]);
    expect(home).not.toBe('');
  });
});
