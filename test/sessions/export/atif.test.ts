import {execFile} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {exportAtif} from '../../../src/sessions/export/atif.ts';
import {NO_RESULT} from '../../../src/sessions/history.ts';
import {check} from '../../checks/atif-check.mjs';
import {startedIn} from '../../../src/sessions/export/subagent-logs.ts';
import {scratch} from '../../support/scratch.ts';
import {anyLog} from '../random-log.ts';
import {
  answered,
  broke,
  callCompleted,
  callStarted,
  compacted,
  logged,
  output,
  reasoning,
  started,
  text,
  turnFailed,
  turnStarted,
  user,
  wholeTurn,
} from '../events.ts';

function trajectory(events: readonly ThreadEvent[]): {readonly steps: readonly Record<string, unknown>[]} {
  return JSON.parse(exportAtif(logged(events))) as {steps: Record<string, unknown>[]};
}

const cutOff = [started(), turnStarted(), user('Go.'), callStarted('r1', {id: 'c1'}), answered('r1')];
const brokenCall = {id: 'c1', arguments: '{"path":', callId: 'same'};

const SESSIONS: Readonly<Record<string, readonly ThreadEvent[]>> = {
  'whole turn': wholeTurn(),
  'cut off in a call': cutOff,
  'cut off in a reply': [started(), turnStarted(), user('Go.'), reasoning('r1', 'Hm.')],
  failed: [started(), turnStarted(), user('Go.'), turnFailed('provider_error')],
  interrupted: [started(), turnStarted(), user('Go.'), broke('r1', 'Ha'), broke('r1'), text('r1', 'Half.'), answered('r1')],
  compacted: [...wholeTurn(), compacted(), turnStarted('trn_2'), user('On.'), text('r3', 'Yes.'), answered('r3', null)],
  'arguments that are not JSON, ids that repeat': [
    user('Go.'),
    callCompleted('r1', brokenCall),
    output('r1', brokenCall, 'bad arguments'),
    callCompleted('r1', {id: 'c2', arguments: '[1]', callId: 'same'}),
  ],
  'without thread.started': [user('Go.'), text('r1', 'Yes.')],
  empty: [started()],
};

describe('ATIF (Harbor RFC 0001)', () => {
  it('every kind of session is valid for the checker, run as its own program', async () => {
    const root = await scratch();
    const files = Object.keys(SESSIONS).map((_, index) => join(root, `${index}.json`));
    await Promise.all(files.map((file, index) => writeFile(file, exportAtif(logged(Object.values(SESSIONS)[index] ?? [])))));
    const checker = join(import.meta.dirname, '../../checks/atif-check.mjs');
    const {stdout} = await promisify(execFile)(process.execPath, [checker, ...files]).catch((error: {stdout: string}) => error);
    expect(stdout).toBe(files.map((file) => `ok ${file}\n`).join(''));
  });

  it.each<[string, unknown, readonly number[] | undefined]>([
    ['a number for each token', [-0.25, -3], [-0.25, -3]],
    ['none', [], undefined],
    ['a log that lies', ['x'], undefined],
    ['a log that lies, no list', {}, undefined],
  ])('log probabilities are metrics of the step, and valid: %s', (_, logprobs, exported) => {
    const events = [user('Go.'), text('r1', 'Yes.'), {...answered('r1'), logprobs} as ThreadEvent];
    const made = trajectory(events);
    expect([made.steps[1]?.['metrics'], check(made)]).toEqual([
      {
        ...(trajectory([user('Go.'), text('r1', 'Yes.'), answered('r1')]).steps[1]?.['metrics'] as object),
        ...(exported && {logprobs: exported}),
      },
      [],
    ]);
  });

  it('a whole turn: prompt, one step for each reply with its calls, results and metrics', () => {
    expect(trajectory(wholeTurn())).toMatchInlineSnapshot(`
      {
        "agent": {
          "extra": {
            "toolset": "fettle",
          },
          "model_name": "script/demo",
          "name": "fettle",
          "version": "0.1.0",
        },
        "final_metrics": {
          "extra": {
            "num_requests": 2,
            "num_turns": 1,
            "outcome": "success",
          },
          "total_cached_tokens": 80,
          "total_completion_tokens": 40,
          "total_cost_usd": 0.5,
          "total_prompt_tokens": 200,
          "total_steps": 3,
        },
        "schema_version": "ATIF-v1.7",
        "session_id": "thr_1",
        "steps": [
          {
            "message": "Fix it.",
            "source": "user",
            "step_id": 1,
            "timestamp": "2026-01-02T03:04:02.000Z",
          },
          {
            "extra": {
              "request_id": "r1",
              "stop_reason": "end",
            },
            "llm_call_count": 1,
            "message": "I look.",
            "metrics": {
              "cached_tokens": 40,
              "completion_tokens": 20,
              "cost_usd": 0.25,
              "extra": {
                "cache_creation_tokens": 10,
                "duration_ms": 7,
                "reasoning_tokens": 5,
                "retries": 0,
              },
              "prompt_tokens": 100,
            },
            "model_name": "script/demo",
            "observation": {
              "results": [
                {
                  "content": "hello",
                  "extra": {
                    "duration_ms": 3,
                    "is_error": false,
                    "outcome": "success",
                  },
                  "source_call_id": "call_c1",
                },
                {
                  "content": "a.txt:1:x",
                  "extra": {
                    "duration_ms": 3,
                    "is_error": false,
                    "outcome": "success",
                  },
                  "source_call_id": "call_c2",
                },
              ],
            },
            "reasoning_content": "Look first.",
            "source": "agent",
            "step_id": 2,
            "timestamp": "2026-01-02T03:04:03.000Z",
            "tool_calls": [
              {
                "arguments": {
                  "path": "a.txt",
                },
                "function_name": "read",
                "tool_call_id": "call_c1",
              },
              {
                "arguments": {
                  "pattern": "x",
                },
                "function_name": "grep",
                "tool_call_id": "call_c2",
              },
            ],
          },
          {
            "extra": {
              "request_id": "r2",
              "stop_reason": "end",
            },
            "llm_call_count": 1,
            "message": "Done.",
            "metrics": {
              "cached_tokens": 40,
              "completion_tokens": 20,
              "cost_usd": 0.25,
              "extra": {
                "cache_creation_tokens": 10,
                "duration_ms": 7,
                "reasoning_tokens": 5,
                "retries": 0,
              },
              "prompt_tokens": 100,
            },
            "model_name": "script/demo",
            "source": "agent",
            "step_id": 3,
            "timestamp": "2026-01-02T03:04:12.000Z",
          },
        ],
        "trajectory_id": "thr_1",
      }
    `);
  });

  it('a call that was cut off still has a result', () => {
    expect(trajectory(cutOff).steps[1]).toMatchObject({
      tool_calls: [{tool_call_id: 'call_c1', function_name: 'read', arguments: {path: 'a.txt'}}],
      observation: {results: [{source_call_id: 'call_c1', content: NO_RESULT, extra: {is_error: true, outcome: 'interrupted'}}]},
    });
  });

  it('arguments that are not object are kept beside, and ids differ within a step', () => {
    expect(trajectory(SESSIONS['arguments that are not JSON, ids that repeat'] ?? []).steps[1]?.['tool_calls']).toEqual([
      {tool_call_id: 'same', function_name: 'read', arguments: {}, extra: {invalid_arguments: '{"path":'}},
      {tool_call_id: 'c2', function_name: 'read', arguments: {}, extra: {invalid_arguments: '[1]'}},
    ]);
  });

  it('compaction is a system step', () => {
    expect(trajectory(SESSIONS['compacted'] ?? []).steps.filter(({source}) => source === 'system')).toEqual([
      {
        step_id: 4,
        timestamp: '2026-01-02T03:04:15.000Z',
        source: 'system',
        message: 'The context was compacted (auto): 12 messages became 1.',
        extra: {context_management: {type: 'compaction', boundary: 'replace'}},
      },
    ]);
  });

  it('what the harness told the model is not a user step; what was rewound is marked, and the going back is a system step', () => {
    const harness: ThreadEvent = {
      type: 'item.completed',
      turn_id: 'trn_2',
      item: {id: 'h', type: 'user_message', text: 'Not done yet.', origin: 'harness'},
    };
    const rewound: ThreadEvent = {type: 'thread.rewound', thread_id: 'thr_1', to: 'trn_2', checkpoint_id: 'chk_1'};
    const steps = trajectory([
      started(),
      turnStarted(),
      user('One.'),
      turnStarted('trn_2'),
      user('Two.'),
      harness,
      rewound,
      turnStarted('trn_3'),
      user('Three.'),
    ]).steps;
    expect(steps.map(({source, message, extra}) => [source, message, extra])).toEqual([
      ['user', 'One.', undefined],
      ['user', 'Two.', {rewound: true}],
      ['system', 'Not done yet.', {origin: 'harness', rewound: true}],
      ['system', 'The conversation goes on from an earlier point.', {context_management: {type: 'pruning', boundary: 'truncate'}}],
      ['user', 'Three.', undefined],
    ]);
  });

  it('a rewinding that is taken back marks nothing but what came between', () => {
    const to = (target: string, id: string): ThreadEvent => ({type: 'thread.rewound', thread_id: 'thr_1', to: target, checkpoint_id: id});
    const steps = trajectory([
      turnStarted('t1'),
      user('One.'),
      to('t1', 'chk_1'),
      turnStarted('t2'),
      user('Two.'),
      to('chk_1', 'chk_2'),
      turnStarted('t3'),
      user('Three.'),
    ]).steps;
    expect(steps.filter(({source}) => source === 'user').map(({message, extra}) => [message, extra])).toEqual([
      ['One.', undefined],
      ['Two.', {rewound: true}],
      ['Three.', undefined],
    ]);
  });

  it('what arrived before a stream broke off is a step of its own, marked as interrupted, and never a part of the reply', () => {
    const {steps} = trajectory([...(SESSIONS['interrupted'] ?? []), broke('r2', 'And'), turnFailed('provider_error')]);
    const reason = 'The stream broke.';
    expect(steps.map(({source, message, extra}) => [source, message, extra])).toEqual([
      ['user', 'Go.', undefined],
      ['agent', 'Ha', {request_id: 'r1', interrupted: true, reason}],
      ['agent', 'Half.', {request_id: 'r1', stop_reason: 'end'}],
      ['agent', 'And', {request_id: 'r2', interrupted: true, reason}],
    ]);
  });

  it('a reply of nothing is a step with its cost; the totals are those of the steps, with what subagents used beside', () => {
    const subagent: ThreadEvent = {...answered('r9', 1), agent: 'explore'} as ThreadEvent;
    const whole = trajectory([user('Go.'), answered('r1'), subagent]) as unknown as {steps: object[]; final_metrics: object};
    expect(whole.steps[1]).toMatchObject({source: 'agent', message: '', metrics: {prompt_tokens: 100, cost_usd: 0.25}});
    expect(whole.final_metrics).toEqual({
      total_prompt_tokens: 100,
      total_completion_tokens: 20,
      total_cached_tokens: 40,
      total_cost_usd: 0.25,
      total_steps: 2,
      extra: {
        num_turns: 0,
        num_requests: 1,
        outcome: 'interrupted',
        with_subagents: {num_requests: 2, prompt_tokens: 200, completion_tokens: 40, cost_usd: 1.25},
      },
    });
  });

  it('any events in any order are valid, cut at any line, with any subagents', () => {
    fc.assert(
      fc.property(anyLog, anyLog, fc.nat(25), (log, child, cut) => {
        const lines = log.slice(0, cut);
        const children = [...startedIn(lines)].map(([threadId, callId]) => ({threadId, callId, events: child, subagents: []}));
        const whole = JSON.parse(exportAtif(lines, children)) as Trajectory;
        expect(check(whole)).toEqual([]);
        const prompts = whole.steps.reduce((sum, {metrics}) => sum + (metrics?.prompt_tokens ?? 0), 0);
        expect([whole.final_metrics.total_prompt_tokens, whole.final_metrics.total_steps]).toEqual([prompts, whole.steps.length]);
      }),
      {numRuns: 1000},
    );
  });
});

interface Trajectory {
  readonly steps: readonly {readonly metrics?: {readonly prompt_tokens: number}}[];
  readonly final_metrics: {readonly total_prompt_tokens: number; readonly total_steps: number};
}
