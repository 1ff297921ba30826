import {describe, expect, it} from 'vitest';
import {createRunRecord} from '../../../src/agent/verification/run-record.ts';
import type {AgentStatusChanged, ThreadEvent} from '../../../src/protocol/events.ts';
import {NO_USAGE} from '../../../src/protocol/usage.ts';
import type {Todo} from '../../../src/tools/ports/todo-list.ts';

const todo = (id: string, content: string, status: Todo['status'] = 'pending'): Todo => ({id, content, status, priority: 'medium'});

function rig(first: readonly Todo[] = []) {
  let list = first;
  const record = createRunRecord(() => list);
  const write = (...items: Todo[]): void => {
    list = items;
    record.observe({type: 'item.completed', turn_id: 't', item: {id: 'i', type: 'todo_list', items}});
  };
  return {record, write};
}

const agent = (id: string, over: Partial<AgentStatusChanged>): ThreadEvent => ({
  type: 'agent.status',
  thread_id: 'thr',
  agent_id: id,
  agent: 'worker',
  child_thread_id: 'thr_c',
  run_id: 'run',
  task: 'x',
  status: 'completed',
  ...over,
});

const denied = (tool: string, over: object = {}): ThreadEvent => ({
  type: 'permission.resolved',
  turn_id: 't',
  tool_call_id: 'c',
  tool_name: tool,
  decision: 'deny',
  decided_by: 'headless',
  wait_ms: 0,
  ...over,
});

describe('design 1.4 › what a run left undone', () => {
  it.each<[string, readonly Todo[], readonly (readonly Todo[])[], readonly (readonly [string, string])[]]>([
    [
      'all done',
      [],
      [
        [todo('1', 'a'), todo('2', 'b')],
        [todo('1', 'a', 'completed'), todo('2', 'b', 'completed')],
      ],
      [],
    ],
    ['left open', [], [[todo('1', 'a', 'in_progress')]], [['a', 'in_progress']]],
    ['emptied', [], [[todo('1', 'a'), todo('2', 'b', 'completed')], []], [['a', 'removed']]],
    ['emptied, of an earlier run', [todo('1', 'a')], [[]], [['a', 'removed']]],
    ['replaced by what is done', [], [[todo('1', 'write tests')], [todo('1', 'fix it', 'completed')]], [['write tests', 'removed']]],
    ['cancelled, then taken out', [], [[todo('1', 'a')], [todo('1', 'a', 'cancelled')], []], [['a', 'removed']]],
    ['taken out and brought back', [], [[todo('1', 'a')], [], [todo('2', 'A', 'completed')]], []],
    ['worded anew', [], [[todo('1', 'write tests')], [todo('1', 'write more tests for it', 'completed')]], []],
  ])('tasks: %s', (_, first, lists, expected) => {
    const {record, write} = rig(first);
    for (const list of lists) write(...list);
    expect((record.report().open_tasks ?? []).map(({content, status}) => [content, status])).toEqual(expected);
  });

  it('subagents whose newest order did not come to its end; planner and evaluator have a word of their own', () => {
    const {record} = rig();
    const events = [
      agent('a-1', {status: 'failed', message: 'no answer'}),
      agent('a-2', {status: 'failed'}),
      agent('a-2', {status: 'completed'}),
      agent('a-3', {status: 'running'}),
      agent('a-4', {status: 'closed'}),
      agent('evaluator-1', {status: 'failed', role: 'evaluator'}),
    ];
    for (const event of events) record.observe(event);
    expect(record.report()).toEqual({
      failed_agents: [
        {agent_id: 'a-1', message: 'no answer'},
        {agent_id: 'a-3', message: 'it was still at work when the run ended'},
      ],
    });
  });

  it('denied calls once each, not what the mode plan is there to refuse; a line each of this turn; a new run begins anew', () => {
    const {record} = rig();
    record.observe({type: 'turn.started', thread_id: 'thr', turn_id: 't0'});
    record.observe(denied('write', {decided_by: 'mode:plan'}));
    record.observe(denied('web_fetch', {decided_by: 'rule:web_fetch:*', rule: 'web_fetch:*'}));
    record.observe({type: 'turn.started', thread_id: 'thr', turn_id: 't1'});
    for (const _ of [1, 2]) record.observe(denied('bash', {allow_rules: ['bash:a b', "bash:it's"], allow_mode: 'full-auto'}));
    expect(record.remedies()).toEqual([
      "bash: allow it with --allow 'bash:a b' --allow 'bash:it'\\''s', or with --mode full-auto",
      "bash: allow it with --allow 'bash:a b' --allow 'bash:it'\\''s', or with --mode full-auto",
    ]);
    expect(record.report().denied?.map(({tool_name: tool}) => tool)).toEqual(['web_fetch', 'bash']);
    record.begin();
    expect(record.report()).toEqual({});
  });

  it.each([
    ['person', {}, 'bash: you refused it'],
    ['hook', {}, 'bash: a hook denied it; no rule or mode overrides a hook'],
    ['rule:bash:rm *', {}, 'bash: the rule bash:rm * denies it in every mode; take that rule away to allow it'],
    ['headless', {rule: 'bash:npm *'}, 'bash: the rule bash:npm * wants a person to be asked in every mode, and nobody was there'],
    ['headless', {}, 'bash: no rule and no mode allows it without a person; run it in a chat, where you can be asked'],
    ['headless', {allow_mode: 'accept-edits'}, 'bash: allow it with --mode accept-edits'],
  ])('why it was denied: %s %j', (by, over, line) => {
    const {record} = rig();
    record.observe({type: 'turn.started', thread_id: 'thr', turn_id: 't'});
    record.observe(denied('bash', {decided_by: by, ...over}));
    expect(record.remedies()).toEqual([line]);
  });
});

describe('a last reply that the output limit cut', () => {
  const replied = (stopReason: string, over: object = {}): ThreadEvent => ({
    type: 'request.completed',
    turn_id: 't',
    request_id: 'r',
    model: 'm',
    stop_reason: stopReason,
    usage: NO_USAGE,
    cost_usd: 0,
    duration_ms: 0,
    retries: 0,
    ...over,
  });
  it.each<[string, ThreadEvent[], object]>([
    ['the last one', [replied('end'), replied('max_tokens')], {reply_cut: true}],
    ['an earlier one', [replied('max_tokens'), replied('end')], {}],
    ['one of a subagent', [replied('end'), replied('max_tokens', {agent: 'worker'})], {}],
    ['the last one, before a subagent answered', [replied('max_tokens'), replied('end', {agent: 'worker'})], {reply_cut: true}],
  ])('%s', (_name, events, expected) => {
    const {record} = rig();
    for (const event of events) record.observe(event);
    expect(record.report()).toEqual(expected);
    record.begin();
    expect(record.report()).toEqual({});
  });
});
