import {describe, expect, it, onTestFinished} from 'vitest';
import {anthropicWire} from '../../src/models/anthropic/anthropic.ts';
import {geminiWire} from '../../src/models/gemini/gemini.ts';
import {createChatWire} from '../../src/models/openai/openai-chat.ts';
import {responsesWire} from '../../src/models/openai/openai-responses.ts';
import {openProvider} from '../../src/models/open-provider.ts';
import {COMMON_DIALECT} from '../../src/models/provider-table.ts';
import type {ModelEvent, Provider} from '../../src/models/provider.ts';
import type {Wire} from '../../src/models/wire.ts';
import {startModelServer, type ModelScript} from '../../src/testing/index.ts';
import {all, HELLO} from './provider-fixture.ts';

const WIRES: readonly (readonly [string, Wire, object, object])[] = [
  ['Chat Completions', createChatWire(COMMON_DIALECT), {}, {temperature: 0}],
  ['Responses', responsesWire, {}, {temperature: 0}],
  ['Anthropic', anthropicWire, {temperature: undefined}, {temperature: 0}],
  ['Gemini', geminiWire, {generationConfig: undefined}, {generationConfig: {temperature: 0}}],
];

describe('the temperature of a request', () => {
  it.each(WIRES)('%s: is sent only if there is one', (_, wire, off, on) => {
    const body = wire.encode(HELLO, 'm').body;
    const warm = wire.encode({...HELLO, temperature: 0}, 'm').body;
    expect(warm).toEqual({...body, ...on});
    expect(JSON.stringify(body)).not.toContain('temperature');
    expect(body).toEqual({...warm, temperature: undefined, ...off});
  });
});

async function open(script: ModelScript, temperature: number | undefined): Promise<{provider: Provider; sent: () => unknown[]}> {
  const server = await startModelServer(script);
  onTestFinished(async () => {
    expect(server.violations).toEqual([]);
    await server.close();
  });
  const provider = await openProvider('openai/gpt-6.2-sol', {
    env: {OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: `${server.url}/v1`},
    providers: [],
    baseUrls: {},
    limits: {firstByteMs: 60_000, betweenEventsMs: 90_000, stallNoticeMs: 10_000, retries: 0},
    temperature,
  });
  return {provider, sent: () => server.requests.map(({body}) => body['temperature'])};
}

/** What hosts and the log learn of a request, without deltas. */
function ends(events: readonly ModelEvent[]): readonly unknown[] {
  return events.flatMap((event): unknown[] => {
    if (event.type === 'done') return [{done: event.reply.temperature, retries: event.reply.retries}];
    if (event.type === 'retry') return [{retry: event.reason, delayMs: event.delayMs}];
    return event.type === 'error' ? [{error: event.failure.message}] : [];
  });
}

const SAID = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.";
const REFUSAL = {
  status: 400,
  body: {error: {message: SAID, type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value'}},
};
const BY_PLACE = {status: 422, body: {detail: [{loc: ['body', 'temperature'], msg: 'Input should be greater than 0'}]}};

describe('a model with a temperature', () => {
  it('has it in every request, and the reply says so', async () => {
    const {provider, sent} = await open([{text: 'One'}, {text: 'Two'}], 0);
    expect([ends(await all(provider)), ends(await all(provider)), sent()]).toEqual([
      [{done: 0, retries: 0}],
      [{done: 0, retries: 0}],
      [0, 0],
    ]);
  });

  it.each([
    ['OpenAI, by its text', REFUSAL, `openai did not accept the request (400): ${SAID}`],
    ['FastAPI, by the place', BY_PLACE, 'openai did not accept the request (422): Input should be greater than 0.'],
  ])('that refuses it is asked once more without, and never again with it: %s', async (_, refusal, reason) => {
    const {provider, sent} = await open([refusal, {text: 'One'}, {text: 'Two'}], 0);
    expect([ends(await all(provider)), ends(await all(provider)), sent()]).toEqual([
      [
        {retry: `${reason} No temperature is sent from now on.`, delayMs: 0},
        {done: undefined, retries: 1},
      ],
      [{done: undefined, retries: 0}],
      [0, undefined, undefined],
    ]);
  });

  it('that refuses the request without it, too, has failed', async () => {
    const {provider, sent} = await open([REFUSAL, REFUSAL], 0);
    expect([ends(await all(provider)).at(-1), sent()]).toEqual([
      {error: `openai did not accept the request (400): ${SAID}`},
      [0, undefined],
    ]);
  });

  it('that refuses something else is not asked again', async () => {
    const refusal = {status: 400, body: {error: {message: "Unknown parameter: 'foo'."}}};
    const {provider, sent} = await open([refusal], 0);
    expect([ends(await all(provider)), sent()]).toEqual([
      [{error: "openai did not accept the request (400): Unknown parameter: 'foo'."}],
      [0],
    ]);
  });

  it('none is set: none is sent, and none is in the reply', async () => {
    const {provider, sent} = await open([{text: 'One'}], undefined);
    const events = await all(provider);
    expect([sent(), JSON.stringify(events).includes('temperature')]).toEqual([[undefined], false]);
  });
});
