import {describe, expect, it} from 'vitest';
import {estimateTokens} from '../../../src/context/compaction/estimate-tokens.ts';
import {handOver} from '../../../src/lab/self-play/hand-over.ts';
import {decodeRolloutLog} from '../../../src/lab/log/rollout-log.ts';
import type {LoggedEvent} from '../../../src/sessions/log-line.ts';

function log(...outputs: readonly string[]): readonly LoggedEvent[] {
  const items = outputs.flatMap((output, at) => [
    {
      type: 'tool_invocation',
      id: `i${at}`,
      request_id: `r${at}`,
      tool_call_id: `c${at}`,
      tool_name: 'read',
      arguments: '{"path":"a.mjs"}',
      status: 'completed',
    },
    {
      type: 'tool_output',
      id: `o${at}`,
      tool_name: 'read',
      is_error: false,
      call_id: `i${at}`,
      tool_call_id: `c${at}`,
      output,
      status: 'completed',
    },
  ]);
  const last = {type: 'agent_message', id: 'm', request_id: 'last', text: 'The cause is in a.mjs.'};
  const lines = [{type: 'user_message', id: 'u', text: 'PROMPT'}, ...items, last].map((item) =>
    JSON.stringify({type: 'item.completed', item}),
  );
  return decodeRolloutLog(lines.join('\n'));
}

describe('handOver', () => {
  it('writes what a run did, without its prompt', () => {
    expect(handOver(log('export const a = 1;'), 1000).text).toMatchInlineSnapshot(`
      "CALL read: {"path":"a.mjs"}

      RESULT of read: export const a = 1;

      MODEL: The cause is in a.mjs."
    `);
  });

  it('says nothing of a cut where there is none', () => {
    expect(handOver(log('export const a = 1;'), 1000).cut).toBeUndefined();
  });

  it.each([
    ['one long result', log('x'.repeat(100_000)), /^1 long text shortened$/],
    [
      'many results',
      log(...Array.from({length: 200}, (_, at) => `${at} ${'word '.repeat(60)}`)),
      /^200 long texts shortened, the oldest \d+ characters left out$/,
    ],
    ['characters of several bytes', log('漢'.repeat(20_000)), /^1 long text shortened/],
    [
      'a thousand times the budget',
      log(...Array.from({length: 500}, (_, at) => `${at} ${'x '.repeat(4000)}`)),
      /^500 long texts shortened, the oldest \d+ characters left out$/,
    ],
  ])('keeps its budget of tokens, says what it left out, and keeps the end: %s', (_, events, said) => {
    const {text, cut} = handOver(events, 1000);
    expect([estimateTokens(text) <= 1000, cut, text.endsWith('The cause is in a.mjs.')]).toEqual([true, expect.stringMatching(said), true]);
    expect(text).not.toContain('recall');
  });

  it('is empty for a log without replies', () => {
    expect(handOver([], 1000)).toEqual({text: '', cut: undefined});
  });
});
