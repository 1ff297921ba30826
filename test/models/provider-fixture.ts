import type {Clock} from '../../src/models/http/clock.ts';
import {createHttpProvider, type HttpProviderOptions} from '../../src/models/http/http-provider.ts';
import {createHttpClient} from '../../src/models/http/http-client.ts';
import {createChatWire} from '../../src/models/openai/openai-chat.ts';
import {COMMON_DIALECT} from '../../src/models/provider-table.ts';
import type {ModelEvent, ModelRequest, Provider} from '../../src/models/provider.ts';

/** 2026-01-01T00:00:00Z. */
export const NOW = 1_767_225_600_000;
export const KEY = 'sk-secret-0123456789';
const NEVER = 1e12;

export const HELLO: ModelRequest = {system: 'Be brief.', messages: [{role: 'user', text: 'Hello'}], tools: []};

/** What the model says in tests that are about other things. */
export const REPLY = [
  {choices: [{index: 0, delta: {role: 'assistant', content: 'Hi '}}]},
  {choices: [{index: 0, delta: {content: 'there'}, finish_reason: 'stop'}]},
  {choices: [], usage: {prompt_tokens: 10, completion_tokens: 2}},
  '[DONE]',
];

export const REPLY_MESSAGE = {role: 'assistant', parts: [{type: 'text', text: 'Hi there'}]};

/** Waits of the provider end at once and are written down; silence never becomes too long. */
export function quickClock(): Clock & {readonly waits: number[]} {
  const waits: number[] = [];
  return {
    waits,
    now: () => NOW,
    after(ms, run) {
      if (ms >= NEVER) return () => undefined;
      waits.push(ms);
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
  };
}

export function provider(baseUrl: string, options: Partial<HttpProviderOptions> = {}): Provider {
  return createHttpProvider({
    model: 'acme/large',
    wireModel: 'large',
    wire: createChatWire(COMMON_DIALECT, () => 'call_made'),
    baseUrl,
    auth: {header: 'authorization', key: KEY, keyVariable: 'ACME_API_KEY'},
    limits: {firstByteMs: NEVER, betweenEventsMs: NEVER, stallNoticeMs: NEVER, retries: 4},
    http: createHttpClient({}),
    clock: quickClock(),
    random: () => 0.5,
    ...options,
  });
}

/** Everything that one request gives. */
export async function all(from: Provider, request: ModelRequest = HELLO, signal = new AbortController().signal): Promise<ModelEvent[]> {
  return collect(from.stream(request, signal));
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}
