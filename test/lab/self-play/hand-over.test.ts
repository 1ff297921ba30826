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
    expect(handOver(log('export const a = 1;'), 1000)).toMatchInlineSnapshot(`
      "CALL read: {"path":"a.mjs"}

      RESULT of read: export const a = 1;

      MODEL: The cause is in a.mjs."
    `);
  });

  it.each([
    ['one long result', log('x'.repeat(100_000))],
    ['many results', log(...Array.from({length: 200}, (_, at) => `${at} ${'word '.repeat(60)}`))],
    ['characters of several bytes', log('漢'.repeat(20_000))],
  ])('keeps its budget of tokens, says that it left something out, and keeps the end: %s', (_, events) => {
    const text = handOver(events, 1000);
    expect([estimateTokens(text) <= 1000, /left out|…\d+ characters…/.test(text), text.endsWith('The cause is in a.mjs.')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(text).not.toContain('recall');
  });

  it('is empty for a log without replies', () => {
    expect(handOver([], 1000)).toBe('');
  });
});
