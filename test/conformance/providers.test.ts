import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {LLMock, type ChatCompletionRequest, type Fixture} from '@copilotkit/aimock';
import {describe, expect, it, onTestFinished} from 'vitest';
import {eventsOf, fettle, place, type Place} from '../e2e/support.ts';

/** How a model of the emulator is named, and the variables with which a built-in provider finds it. */
const PROVIDERS: Readonly<Record<string, {readonly model: string; variables(url: string): Record<string, string>}>> = {
  'Chat Completions': {
    model: 'test/gpt',
    variables: () => ({}),
  },
  Responses: {model: 'openai/gpt-6.2-sol', variables: (url) => ({OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1`})},
  Anthropic: {model: 'anthropic/claude-sonnet-5-5', variables: (url) => ({ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url})},
  Gemini: {model: 'gemini/gemini-3.8-flash', variables: (url) => ({GEMINI_API_KEY: 'k', GEMINI_BASE_URL: `${url}/v1beta`})},
  Ollama: {model: 'ollama/qwen3-coder', variables: (url) => ({OLLAMA_BASE_URL: `${url}/v1`})},
};

const TURNS: readonly Fixture['response'][] = [
  {content: 'I read it.', toolCalls: [{name: 'read', arguments: JSON.stringify({path: 'a.txt'})}]},
  {toolCalls: [{name: 'edit', arguments: JSON.stringify({path: 'a.txt', old_string: 'one', new_string: 'two'})}]},
  {content: 'a.txt says two now.'},
];

/** What goes wrong, once each, before the reply of a turn comes. */
const FAULTS: readonly (readonly Omit<Fixture, 'match'>[])[] = [
  [
    {response: {error: {message: 'Slow down.', type: 'rate_limit_error'}, status: 429, retryAfter: 0}},
    {response: {content: 'a server error'}, chaos: {dropRate: 1}},
  ],
  [
    {response: {content: 'is not JSON'}, chaos: {malformedRate: 1}},
    {response: {content: 'a connection that is cut'}, chaos: {disconnectRate: 1}},
  ],
  [{response: {content: 'This text breaks off in the middle of it.'}, chunkSize: 4, truncateAfterChunks: 2}],
];

describe('providers as an emulator that others wrote speaks them', {timeout: 120_000}, () => {
  describe.each(Object.entries(PROVIDERS))('%s', (_, {model, variables}) => {
    it('a task of three requests: a file is read, edited, and the answer given', async () => {
      const {at, mock} = await emulated(
        {model, variables},
        TURNS.map((response, turn) => onTurn(turn, {response})),
      );
      const run = await fettle(at, ['exec', '--json', '--mode', 'accept-edits', 'make it two']);
      expect([run.code, run.stderr, await readFile(join(at.work, 'a.txt'), 'utf8')]).toEqual([0, '', 'two\n']);
      expect(eventsOf(run).at(-1)).toMatchObject({outcome_code: 'success', result: 'a.txt says two now.', num_turns: 1});
      expect(mock.getRequests().map(({response}) => response.status)).toEqual([200, 200, 200]);
    });

    it('refusals, broken and cut replies on the way: the same task, and nothing twice', async () => {
      const fixtures = TURNS.flatMap((response, turn) => [
        ...(FAULTS[turn] ?? []).map((fault) => onTurn(turn, {...fault, match: {sequenceIndex: 0}})),
        onTurn(turn, {response}),
      ]);
      const {at, mock} = await emulated({model, variables}, fixtures);
      const run = await fettle(at, ['exec', '--json', '--mode', 'accept-edits', 'make it two']);
      expect([run.code, await readFile(join(at.work, 'a.txt'), 'utf8')]).toEqual([0, 'two\n']);
      expect(eventsOf(run).at(-1)).toMatchObject({outcome_code: 'success', result: 'a.txt says two now.', num_turns: 1});
      expect(mock.getRequests()).toHaveLength(8);
    });

    it('nothing but failures: an end that names the provider, exit 7', async () => {
      const {at} = await emulated({model, variables}, [onTurn(0, {response: {content: ''}, chaos: {dropRate: 1}})]);
      const run = await fettle(at, ['exec', '--json', 'hello']);
      expect(run.code).toBe(7);
      expect(eventsOf(run).at(-1)).toMatchObject({outcome_code: 'provider_error'});
    });
  });
});

/** A fixture for the request in which the model has seen `turn` results of tools. */
function onTurn(turn: number, fixture: Omit<Fixture, 'match'> & {readonly match?: Fixture['match']}): Fixture {
  const predicate = ({messages}: ChatCompletionRequest): boolean => messages.filter(({role}) => role === 'tool').length === turn;
  return {...fixture, match: {...fixture.match, predicate}};
}

async function emulated(
  {model, variables}: (typeof PROVIDERS)[string],
  fixtures: readonly Fixture[],
): Promise<{readonly at: Place; readonly mock: LLMock}> {
  const mock = new LLMock({port: 0, host: '127.0.0.1'});
  mock.addFixtures([...fixtures]);
  await mock.start();
  onTestFinished(() => mock.stop());
  const custom = `[[custom_providers]]\nname = "test"\nformat = "openai-chat"\nbase_url = "${mock.url}/v1"\n`;
  const at = await place({'a.txt': 'one\n'}, `model = "${model}"\n[provider_limits]\nretries = 2\n${custom}`);
  return {mock, at: {...at, env: {...at.env, ...variables(mock.url)}}};
}
