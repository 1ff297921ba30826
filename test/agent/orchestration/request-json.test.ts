import {describe, expect, it} from 'vitest';
import * as z from 'zod/mini';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {askJson} from '../../../src/agent/orchestration/request-json.ts';
import {done, stepProvider, text, type Step} from '../support.ts';

const schema = z.object({n: z.number()});

async function ask(steps: readonly Step[], mayAsk: () => boolean = () => true) {
  const provider = stepProvider(steps);
  let paid = 0;
  const said: string[] = [];
  const emit = (event: ThreadEvent): void => {
    if (event.type !== 'item.completed') return;
    const {item} = event;
    if (item.type === 'user_message') said.push(`${item.origin ?? 'asked'}: ${item.text}`);
    if (item.type === 'agent_message') said.push(`answer: ${item.text}`);
  };
  const onReply = (): void => void (paid += 1);
  const question = {
    provider,
    system: 's',
    text: 'How many?',
    schema,
    maxOutputTokens: 100,
    emit,
    turnId: 'trn_1',
    onReply,
    onPaid: () => undefined,
    mayAsk,
  };
  const answer = await askJson(question, new AbortController().signal);
  return {answer, paid, said, asked: provider.requests.map(({messages}) => messages)};
}

const says = (words: string): Step => [done([text(words)])];

describe('one JSON object, one repair (VT Code: "evaluator JSON error aborts the run instead of one repair try")', () => {
  it.each([['{"n": 1}'], ['```json\n{"n": 1}\n```'], ['Here you are: {"n": 1,}\nGood luck!'], ['{"n": 1, "more": true}']])(
    'understands %j',
    async (words) => {
      expect(await ask([says(words)])).toMatchObject({answer: {ok: true, value: {n: 1}}, paid: 1});
    },
  );

  it('sends back what is wrong, once', async () => {
    const {answer, paid, said, asked} = await ask([says('{"n": "one"}'), says('{"n": 2}')]);
    expect({answer, paid}).toEqual({answer: {ok: true, value: {n: 2}}, paid: 2});
    expect(said).toEqual([
      'asked: How many?',
      'answer: {"n": "one"}',
      expect.stringMatching(/^harness: This does not fit/),
      'answer: {"n": 2}',
    ]);
    expect(asked[1]).toEqual([
      {role: 'user', text: 'How many?'},
      {role: 'assistant', parts: [{type: 'text', text: '{"n": "one"}'}]},
      {role: 'user', text: expect.stringMatching(/^This does not fit: n: .*\. Answer again, with the one JSON object and nothing else\.$/)},
    ]);
  });

  it('twice wrong is the answer; both were paid for', async () => {
    expect(await ask([says('no'), says('[]'), says('{"n": 3}')])).toMatchObject({answer: {ok: false}, paid: 2});
  });

  it('silence is asked again without an empty message of the model', async () => {
    const {asked, answer} = await ask([says(''), says('{"n": 4}')]);
    expect([answer, asked[1]?.map(({role}) => role)]).toEqual([{ok: true, value: {n: 4}}, ['user']]);
  });

  it('a provider that fails is not asked again', async () => {
    const failure = {code: 'PROVIDER', message: 'down', retries: 0} as const;
    expect(await ask([[{type: 'error', failure}]])).toMatchObject({answer: {ok: false, problem: 'down'}, paid: 0});
  });

  it('nothing is asked beyond the budget', async () => {
    expect(await ask([], () => false)).toMatchObject({answer: {ok: false, problem: 'the budget of the run is used up'}, asked: []});
  });
});
