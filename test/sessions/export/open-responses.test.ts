import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {exportOpenResponses} from '../../../src/sessions/export/open-responses.ts';
import {answered, callStarted, logged, started, text, turnCompleted, turnFailed, turnStarted, user, wholeTurn} from '../events.ts';

interface Response {
  readonly [key: string]: unknown;
  readonly output: readonly {readonly type: string}[];
}

function responses(events: readonly ThreadEvent[]): readonly Response[] {
  const lines = exportOpenResponses(logged(events)).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as Response);
}

/** Open Responses 2026-04-24, ResponseResource: the 31 required keys. */
const REQUIRED =
  `background completed_at created_at error frequency_penalty id incomplete_details instructions max_output_tokens max_tool_calls
  metadata model object output parallel_tool_calls presence_penalty previous_response_id prompt_cache_key reasoning safety_identifier service_tier
  status store temperature text tool_choice tools top_logprobs top_p truncation usage`.split(/\s+/);

describe('Open Responses', () => {
  it('a turn is one Response with all required keys', () => {
    const [response] = responses(wholeTurn());
    expect(Object.keys(response ?? {}).sort()).toEqual(REQUIRED);
    expect(response).toMatchInlineSnapshot(`
      {
        "background": false,
        "completed_at": 1767323054,
        "created_at": 1767323041,
        "error": null,
        "frequency_penalty": 0,
        "id": "resp_trn_1",
        "incomplete_details": null,
        "instructions": null,
        "max_output_tokens": null,
        "max_tool_calls": null,
        "metadata": {
          "thread_id": "thr_1",
          "turn_id": "trn_1",
        },
        "model": "script/demo",
        "object": "response",
        "output": [
          {
            "content": [
              {
                "text": "Fix it.",
                "type": "input_text",
              },
            ],
            "id": "u1",
            "role": "user",
            "status": "completed",
            "type": "message",
          },
          {
            "content": [
              {
                "text": "Look first.",
                "type": "reasoning_text",
              },
            ],
            "id": "r1-reasoning",
            "status": "completed",
            "summary": [],
            "type": "reasoning",
          },
          {
            "content": [
              {
                "annotations": [],
                "logprobs": [],
                "text": "I look.",
                "type": "output_text",
              },
            ],
            "id": "r1-text",
            "phase": "commentary",
            "role": "assistant",
            "status": "completed",
            "type": "message",
          },
          {
            "arguments": "{"path":"a.txt"}",
            "call_id": "call_c1",
            "id": "c1",
            "name": "read",
            "status": "completed",
            "type": "function_call",
          },
          {
            "arguments": "{"pattern":"x"}",
            "call_id": "call_c2",
            "id": "c2",
            "name": "grep",
            "status": "completed",
            "type": "function_call",
          },
          {
            "call_id": "call_c2",
            "id": "c2:output",
            "output": "a.txt:1:x",
            "status": "completed",
            "type": "function_call_output",
          },
          {
            "call_id": "call_c1",
            "id": "c1:output",
            "output": "hello",
            "status": "completed",
            "type": "function_call_output",
          },
          {
            "content": [
              {
                "annotations": [],
                "logprobs": [],
                "text": "Done.",
                "type": "output_text",
              },
            ],
            "id": "r2-text",
            "phase": "final_answer",
            "role": "assistant",
            "status": "completed",
            "type": "message",
          },
        ],
        "parallel_tool_calls": true,
        "presence_penalty": 0,
        "previous_response_id": null,
        "prompt_cache_key": null,
        "reasoning": null,
        "safety_identifier": null,
        "service_tier": "default",
        "status": "completed",
        "store": false,
        "temperature": 1,
        "text": {
          "format": {
            "type": "text",
          },
        },
        "tool_choice": "auto",
        "tools": [],
        "top_logprobs": 0,
        "top_p": 1,
        "truncation": "disabled",
        "usage": {
          "input_tokens": 200,
          "input_tokens_details": {
            "cached_tokens": 80,
          },
          "output_tokens": 40,
          "output_tokens_details": {
            "reasoning_tokens": 10,
          },
          "total_tokens": 240,
        },
      }
    `);
  });

  it('turns are chained, and each tells how it ended', () => {
    const turns = [
      started(),
      turnStarted('t1'),
      user('1'),
      text('r1', 'Yes.'),
      answered('r1'),
      turnCompleted('t1'),
      turnStarted('t2'),
      turnFailed('provider_error', 't2'),
      turnStarted('t3'),
      turnFailed('turn_limit_reached', 't3'),
      turnStarted('t4'),
      turnFailed('cancelled', 't4'),
      turnStarted('t5'),
      callStarted('r2', {id: 'c1'}),
    ];
    const keys = ['id', 'previous_response_id', 'status', 'error', 'incomplete_details'] as const;
    expect(responses(turns).map((response) => keys.map((key) => response[key]))).toEqual([
      ['resp_t1', null, 'completed', null, null],
      ['resp_t2', 'resp_t1', 'failed', {code: 'provider_error', message: 'It stopped.'}, null],
      ['resp_t3', 'resp_t2', 'incomplete', null, {reason: 'turn_limit_reached'}],
      ['resp_t4', 'resp_t3', 'incomplete', null, {reason: 'cancelled'}],
      ['resp_t5', 'resp_t4', 'incomplete', null, {reason: 'interrupted'}],
    ]);
    expect(
      responses(turns)
        .at(-1)
        ?.output.map(({type}) => type),
    ).toEqual(['function_call', 'function_call_output']);
  });

  it('a session without turns has no responses', () => {
    expect(exportOpenResponses(logged([started()]))).toBe('');
  });
});
