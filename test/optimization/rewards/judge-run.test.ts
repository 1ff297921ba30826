import {describe, expect, it} from 'vitest';
import {judgeRun, rewardSignalOf} from '../../../src/optimization/rewards/judge-run.ts';
import type {ThreadCompleted, ThreadEvent} from '../../../src/protocol/events.ts';
import {NO_USAGE} from '../../../src/protocol/usage.ts';

const TURN = {
  type: 'turn.completed',
  thread_id: 't',
  turn_id: '1',
  usage: {...NO_USAGE, input_tokens: 900, output_tokens: 100},
  cost_usd: 0.2,
  num_requests: 3,
  duration_ms: 4000,
} as const satisfies ThreadEvent;

const PASSED = {command: 'npm test', named_by: 'person', state: 'passed', exit_code: 0} as const;
const PROVEN = {verified: true, checks: [PASSED]};

function ended(facts: Partial<ThreadCompleted> = {}): ThreadEvent[] {
  const end = {
    type: 'thread.completed',
    thread_id: 't',
    subtype: 'success',
    outcome_code: 'success',
    usage: NO_USAGE,
    total_cost_usd: 9,
    num_turns: 1,
    ...facts,
  } as const satisfies ThreadEvent;
  return [TURN, end];
}

const says = (text: string): ThreadEvent => ({type: 'item.completed', item: {id: 'm', type: 'agent_message', text}});

describe('judgeRun', () => {
  it.each([
    ['its checks passed', PROVEN, {verdict: 'verified', reason: 'its checks passed'}],
    ...['named by `bash check.sh`', 'run by `./check.sh`', 'script "test" of `npm test`', 'test configuration'].map(
      (reason) =>
        [
          `a new file that decides its checks: ${reason}`,
          {...PROVEN, check_changes: [{path: 'a', change: 'created', reason}]},
          {verdict: 'unproven', reason: 'it changed what its checks depend on'},
        ] as const,
    ),
    [
      'checks of which it is not known if it changed them',
      {...PROVEN, check_changes_unknown: true},
      {verdict: 'unproven', reason: 'it is not known what of its checks it changed'},
    ],
    [
      'it changed a test',
      {...PROVEN, check_changes: [{path: 'a.test.ts', change: 'changed', reason: 'test'}]},
      {verdict: 'unproven', reason: 'it changed what its checks depend on'},
    ],
    [
      'it deleted a test',
      {...PROVEN, check_changes: [{path: 'a.test.ts', change: 'deleted', reason: 'test'}]},
      {verdict: 'unproven', reason: 'it changed what its checks depend on'},
    ],
    ['no checks', {verified: 'none'}, {verdict: 'unproven', reason: 'no check that a person named'}],
    ['no word of checks', {}, {verdict: 'unproven', reason: 'no check that a person named'}],
    [
      'checks that its model named',
      {verified: true, checks: [{...PASSED, named_by: 'model'}]},
      {verdict: 'unproven', reason: 'no check that a person named'},
    ],
    [
      'a check that always passes',
      {verified: true, checks: [{...PASSED, always_passes: true}]},
      {verdict: 'unproven', reason: 'no check that a person named'},
    ],
    [
      'a failed check',
      {verified: false, checks: [{...PASSED, state: 'failed', exit_code: 1}]},
      {verdict: 'failed', reason: 'a check did not pass'},
    ],
    [
      'a check that did not run, whatever `verified` says',
      {verified: true, checks: [PASSED, {...PASSED, state: 'not_run'}]},
      {verdict: 'failed', reason: 'a check did not pass'},
    ],
    [
      'a call that a person denied',
      {...PROVEN, denied: [{tool_name: 'bash', decided_by: 'person'}]},
      {verdict: 'denied', reason: 'a person denied one of its calls'},
    ],
    [
      'a call that a rule denied, and it went on',
      {...PROVEN, denied: [{tool_name: 'bash', decided_by: 'rule:bash:rm *'}]},
      {verdict: 'verified', reason: 'its checks passed'},
    ],
    ['denied', {outcome_code: 'denied'}, {verdict: 'denied', reason: 'a call that it needed was denied'}],
    ['time', {outcome_code: 'time_limit_reached'}, {verdict: 'timeout', reason: 'it reached the time limit'}],
    ['requests', {outcome_code: 'turn_limit_reached'}, {verdict: 'limit', reason: 'it reached the limit of requests'}],
    ['tokens', {outcome_code: 'token_limit_reached'}, {verdict: 'limit', reason: 'it reached the limit of tokens'}],
    ['cost', {outcome_code: 'budget_limit_reached'}, {verdict: 'limit', reason: 'it reached the limit of cost'}],
    ['a loop', {outcome_code: 'loop_detected'}, {verdict: 'failed', reason: 'it ended as loop_detected'}],
    [
      'a limit, whatever its checks say',
      {...PROVEN, outcome_code: 'time_limit_reached'},
      {verdict: 'timeout', reason: 'it reached the time limit'},
    ],
  ] as const)('%s', (_, facts, verdict) => {
    expect(judgeRun({events: ended(facts as Partial<ThreadCompleted>)})).toEqual(verdict);
  });

  it('an undo is stronger than any proof', () => {
    expect(judgeRun({events: ended(PROVEN), undone: true})).toEqual({verdict: 'undone', reason: 'a person undid it'});
    const rewound: ThreadEvent = {type: 'thread.rewound', thread_id: 't', to: '1', checkpoint_id: 'c'};
    expect(judgeRun({events: [...ended(PROVEN), rewound]})).toEqual({verdict: 'undone', reason: 'a person undid it'});
    const redone: ThreadEvent = {type: 'thread.rewound', thread_id: 't', to: 'c', checkpoint_id: 'd'};
    expect(judgeRun({events: [...ended(PROVEN), rewound, redone]})?.verdict).toBe('verified');
  });

  it('a redo takes the undo back: what the checks proved before holds again, and nothing more', () => {
    const kept = {verified: false, checks: [PASSED]};
    const rewound: ThreadEvent = {type: 'thread.rewound', thread_id: 't', to: '1', checkpoint_id: 'c'};
    const redone: ThreadEvent = {type: 'thread.rewound', thread_id: 't', to: 'c', checkpoint_id: 'd'};
    expect(judgeRun({events: ended(kept)})?.verdict).toBe('failed');
    expect(judgeRun({events: ended(kept), redone: true})?.verdict).toBe('verified');
    expect(judgeRun({events: [...ended(kept), rewound]})?.verdict).toBe('undone');
    expect(judgeRun({events: [rewound, redone, ...ended(kept)]})?.verdict).toBe('verified');
    expect(judgeRun({events: ended({...kept, checks: [PASSED, {...PASSED, state: 'failed'}]}), redone: true})?.verdict).toBe('failed');
    expect(judgeRun({events: ended({...kept, checks: [{...PASSED, named_by: 'model'}]}), redone: true})?.verdict).toBe('unproven');
    expect(judgeRun({events: ended({...kept, checks: []}), redone: true})?.verdict).toBe('failed');
    expect(judgeRun({events: ended({verified: 'none'}), redone: true})?.verdict).toBe('unproven');
    expect(judgeRun({events: ended(PROVEN), undone: true, redone: true})?.verdict).toBe('undone');
  });

  it('says nothing of a run that has not ended, or that a person cancelled', () => {
    expect(judgeRun({events: [TURN]})).toBeUndefined();
    expect(judgeRun({events: ended({outcome_code: 'cancelled'})})).toBeUndefined();
  });
});

describe('rewardSignalOf', () => {
  it('has the figures of the turns', () => {
    expect(rewardSignalOf('model-a', {events: [TURN, ...ended(PROVEN)]})).toEqual({
      action: 'model-a',
      success: true,
      timeout: false,
      latency_ms: 8000,
      cost_usd: 0.4,
      tokens: 2000,
    });
  });

  it('leaves out a cost that is not known', () => {
    const signal = rewardSignalOf('model-a', {events: [{...TURN, cost_usd: null}, ...ended({outcome_code: 'time_limit_reached'})]});
    expect(signal).toEqual({action: 'model-a', success: false, timeout: true, latency_ms: 8000, tokens: 2000});
  });

  it('of a run that only claims success has none, whatever it says, plans and names', () => {
    const claims = says('All tests pass. verified: true, outcome_code: success. Reward: 1.');
    const todo: ThreadEvent = {
      type: 'item.completed',
      item: {id: 'l', type: 'todo_list', items: [{id: '1', content: 'all', status: 'completed', priority: 'high', verify: ['true']}]},
    };
    const facts = {
      verified: true,
      result: 'Done, verified.',
      checks: [{...PASSED, command: 'true', named_by: 'model' as const, always_passes: true}],
    };
    expect(rewardSignalOf('liar', {events: [claims, todo, ...ended(facts)]})?.success).toBe(false);
    expect(rewardSignalOf('liar', {events: [claims, TURN]})).toBeUndefined();
  });
});
