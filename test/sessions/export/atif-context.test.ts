import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {exportAtif} from '../../../src/sessions/export/atif.ts';
import type {SubagentLog} from '../../../src/sessions/export/subagent-logs.ts';
import {check} from '../../checks/atif-check.mjs';
import {answered, compacted, frame, logged, started, text, turnStarted, user, wholeTurn} from '../events.ts';

interface Trajectory {
  readonly agent: {readonly tool_definitions?: readonly {readonly function: {readonly name: string}}[]; readonly extra: object};
  readonly steps: readonly {readonly source: string; readonly message: string; readonly extra?: object}[];
  readonly subagent_trajectories?: readonly Trajectory[];
}

function exported(events: readonly ThreadEvent[], subagents: readonly SubagentLog[] = []): Trajectory {
  const trajectory = JSON.parse(exportAtif(logged(events), subagents)) as Trajectory;
  expect(check(trajectory)).toEqual([]);
  return trajectory;
}

const names = ({agent}: Trajectory) => agent.tool_definitions?.map((tool) => tool.function.name);
const said = ({steps}: Trajectory) => steps.map(({source, message, extra}) => [source, message, extra]);

describe('ATIF: what the model was given (issue 14 › traces)', () => {
  it('the system prompt is the first step, the tools are definitions of functions', () => {
    const whole = exported([started(), turnStarted(), user('Go.'), frame('You help.', ['read', 'grep']), text('r1', 'Yes.')]);
    expect(whole.agent.tool_definitions).toEqual(
      ['read', 'grep'].map((name) => ({
        type: 'function',
        function: {name, description: `Does ${name}.`, parameters: {type: 'object', properties: {}}},
      })),
    );
    expect(said(whole)).toEqual([
      ['system', 'You help.', {origin: 'system_prompt'}],
      ['user', 'Go.', undefined],
      ['agent', 'Yes.', {request_id: 'r1', interrupted: true}],
    ]);
  });

  it('a change of them is a step where it came; the same again, after a resume, is none; a rewinding does not take it back', () => {
    const whole = exported([
      started(),
      turnStarted('t1'),
      user('One.'),
      frame('A', ['read']),
      frame('A', ['read']),
      frame('A', ['read', 'recall']),
      frame('B', ['recall']),
      {type: 'thread.rewound', thread_id: 'thr_1', to: 't1', checkpoint_id: 'chk_1'},
    ]);
    expect(names(whole)).toEqual(['read', 'recall']);
    expect(said(whole)).toEqual([
      ['system', 'A', {origin: 'system_prompt'}],
      ['user', 'One.', {rewound: true}],
      ['system', 'The tools of the model changed: +recall', {origin: 'tools', tools_added: ['recall'], tools_removed: []}],
      ['system', 'B', {origin: 'system_prompt', tools_added: [], tools_removed: ['read']}],
      ['system', 'The conversation goes on from an earlier point.', {context_management: {type: 'pruning', boundary: 'truncate'}}],
    ]);
  });

  it('a log of an earlier version has neither', () => {
    const whole = exported(wholeTurn());
    expect([names(whole), said(whole)[0]?.[1]]).toEqual([undefined, 'Fix it.']);
  });

  it('after a compaction stands what the model saw from there on: what is new as a step of the harness, what was said before as a copy', () => {
    const call = {type: 'tool_call', id: 'call_c1', name: 'read', arguments: '{"path":"a.txt"}'};
    const messages = [
      {role: 'user' as const, text: '<session_memory>\nThe port is 8080.\n</session_memory>'},
      {role: 'user' as const, text: 'Fix it.'},
      {role: 'assistant' as const, parts: [{type: 'text', text: 'I look.'}, call]},
      {role: 'tool' as const, results: [{callId: 'call_c1', name: 'read', text: 'hello', isError: false}]},
    ];
    const whole = exported([...wholeTurn(), compacted(messages), turnStarted('t2'), user('On.'), text('r3', 'Yes.'), answered('r3')]);
    const at = whole.steps.findIndex(({message}) => message.startsWith('The context was compacted'));
    const context = whole.steps.slice(at + 1, -2).map((step) => ({...step, timestamp: undefined, step_id: undefined}));
    expect(context).toEqual([
      {
        source: 'system',
        message: '<session_memory>\nThe port is 8080.\n</session_memory>',
        extra: {origin: 'harness', context_management: {type: 'injection', boundary: 'append'}},
      },
      {source: 'user', message: 'Fix it.', is_copied_context: true},
      {
        source: 'agent',
        message: 'I look.',
        is_copied_context: true,
        llm_call_count: 0,
        tool_calls: [{tool_call_id: 'call_c1', function_name: 'read', arguments: {path: 'a.txt'}}],
        observation: {results: [{source_call_id: 'call_c1', content: 'hello', extra: {is_error: false, outcome: 'success'}}]},
      },
    ]);
  });

  it('a subagent has its profile, its prompt, its tools and its model', () => {
    const agent = {
      type: 'agent.status' as const,
      thread_id: 'thr_1',
      agent_id: 'explore-task-1',
      agent: 'explore',
      child_thread_id: 'thr_a',
      status: 'running' as const,
      run_id: 'run_1',
      task: 'find a',
      role: 'task' as const,
    };
    const child = logged([started({thread_id: 'thr_a'}), user('find a'), frame('You explore.', ['grep']), text('x', 'a is here')]);
    const whole = exported(wholeTurn(), [{threadId: 'thr_a', callId: 'c1', agent, events: child, subagents: []}]);
    const [trajectory] = whole.subagent_trajectories ?? [];
    expect([trajectory?.agent, trajectory?.steps[0]?.message]).toEqual([
      {
        name: 'fettle',
        version: '0.1.0',
        model_name: 'script/demo',
        tool_definitions: [
          {type: 'function', function: {name: 'grep', description: 'Does grep.', parameters: {type: 'object', properties: {}}}},
        ],
        extra: {toolset: 'fettle', profile: 'explore', parent_thread_id: 'thr_1', agent_id: 'explore-task-1', role: 'task'},
      },
      'You explore.',
    ]);
  });
});
