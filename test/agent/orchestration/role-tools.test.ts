import {describe, expect, it} from 'vitest';
import * as z from 'zod/mini';
import {askJson} from '../../../src/agent/orchestration/request-json.ts';
import {openRoleTools} from '../../../src/agent/orchestration/role-tools.ts';
import type {DispatchResult} from '../../../src/tools/dispatch/dispatch.ts';
import {call, done, stepProvider, text, type Step} from '../support.ts';

const ENOUGH = 'Not run: you have read enough. Answer now, with the one JSON object and nothing else.';

/** Asks a role whose calls all return `output`; returns what was run and what the model was shown. */
async function ask(steps: readonly Step[], output = 'seen') {
  const provider = stepProvider(steps);
  const ran: string[] = [];
  const emit = (): void => undefined;
  const tools = openRoleTools({
    emit,
    turnId: 'trn_1',
    tools: {
      schemas: [{name: 'read', description: '', parameters: {type: 'object'}}],
      createDispatcher: (listener) => ({
        dispatch: async () => Promise.reject(new Error('one at a time')),
        async dispatchAll(calls) {
          const results = calls.map(({id, name}): DispatchResult => ({...DONE, callId: id, toolName: name, text: output}));
          for (const result of results) listener.onResult?.(result);
          ran.push(...calls.map(({id}) => id));
          return results;
        },
      }),
    },
  });
  const common = {emit, turnId: 'trn_1', onReply: () => undefined, onPaid: () => undefined, mayAsk: () => true};
  const question = {...common, provider, tools, system: 's', text: 'How many?', schema: z.object({n: z.number()}), maxOutputTokens: 100};
  return {answer: await askJson(question, new AbortController().signal), ran, requests: provider.requests};
}

const DONE: Omit<DispatchResult, 'callId' | 'toolName' | 'text'> = {
  sideEffect: 'read',
  outcome: 'success',
  summary: '',
  structured: undefined,
  isError: false,
  changes: [],
  repairs: [],
  notes: [],
  durationMs: 1,
};

let ids = 0;
/** Another file each time: the same one again and again is a circle of its own. */
const reads = (count: number): Step => [done(Array.from({length: count}, () => call(`c${(ids += 1)}`, 'read', {path: `f${ids}`})))];
const says = (words: string): Step => [done([text(words)])];
const tooLarge: Step = [{type: 'error', failure: {code: 'TOO_LARGE', message: 'too long', retries: 0}}];

describe('a role that reads before it answers (issue 14.7: "the planner may read")', () => {
  it('sees the results of its calls, in their order', async () => {
    const {answer, requests} = await ask([[done([call('a', 'read', {path: 'x'}), call('b', 'read', {path: 'y'})])], says('{"n": 1}')]);
    expect([answer, requests[1]?.messages.at(-1)]).toEqual([
      {ok: true, value: {n: 1}},
      {
        role: 'tool',
        results: ['a', 'b'].map((callId) => ({callId, name: 'read', text: 'seen', isError: false})),
      },
    ]);
  });

  it.each([
    ['replies', Array.from({length: 13}, () => reads(1)), 'seen', 12],
    ['calls in one reply', [reads(60), reads(1)], 'seen', 40],
    ['characters', [reads(1), reads(1), reads(1)], 'x'.repeat(35_000), 2],
  ])('no more than so many %s are run; then it is told to answer', async (_, steps, output, count) => {
    const {answer, ran, requests} = await ask([...steps, says('{"n": 2}')], output);
    const last = requests.at(-1)?.messages.at(-1);
    expect([answer, ran.length, last?.role === 'tool' ? last.results.map((result) => result.text) : last]).toEqual([
      {ok: true, value: {n: 2}},
      count,
      [ENOUGH],
    ]);
  });

  it('reading on after that is not an answer', async () => {
    const {answer, ran} = await ask([reads(40), reads(1), reads(1), says('{"n": 3}')]);
    expect([answer, ran.length]).toEqual([{ok: false, problem: 'it read on and on, and did not answer'}, 40]);
  });

  it('what does not fit into the window is asked again without tools and without what was read', async () => {
    const {answer, requests} = await ask([reads(1), tooLarge, says('{"n": 4}')]);
    expect([answer, requests.map(({tools, messages}) => [tools.length, messages.length])]).toEqual([
      {ok: true, value: {n: 4}},
      [
        [1, 1],
        [1, 3],
        [0, 1],
      ],
    ]);
  });

  it('an answer that does not fit is sent back with what was read still there', async () => {
    const {answer, requests} = await ask([reads(1), says('{"n": "five"}'), says(''), says('{"n": 5}')]);
    expect([answer.ok, requests.map(({messages}) => messages.map(({role}) => role).join(' '))]).toEqual([
      false,
      ['user', 'user assistant tool', 'user assistant tool assistant user'],
    ]);
  });
});
