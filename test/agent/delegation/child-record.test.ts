import {describe, expect, it} from 'vitest';
import {createChildRecord} from '../../../src/agent/delegation/child-record.ts';
import type {AgentStatusChanged} from '../../../src/protocol/events.ts';

const TASK: AgentStatusChanged = {
  type: 'agent.status',
  thread_id: 'thr_1',
  agent_id: 'explore-task-1',
  agent: 'explore',
  child_thread_id: 'thr_2',
  status: 'running',
  run_id: 'run_1',
  task: 'Look.',
  role: 'task',
  tool_call_id: 'call_1',
};

describe('what a thread knows of its subagents (seed 002 › explicit delegation)', () => {
  it('a task that was cut off with its process can go on like any other subagent; one that ended cannot', () => {
    const record = createChildRecord();
    record.observe(TASK);
    expect([record.all(), record.get('explore-task-1')]).toEqual([[{...TASK, role: undefined}], {...TASK, role: undefined}]);
    record.observe({...TASK, status: 'completed', response: 'Found.'});
    expect([record.all(), record.get('explore-task-1'), record.freeId('explore-task')]).toEqual([[], undefined, 'explore-task-2']);
  });

  it('when it goes on it works beside the thread', () => {
    const record = createChildRecord();
    record.observe(TASK);
    const {role: _, ...beside} = {...TASK, status: 'queued' as const, run_id: 'run_2'};
    record.observe(beside);
    expect(record.all()).toEqual([beside]);
  });

  it('one whose call waits in this process, a planner and an evaluator can be told nothing', () => {
    const record = createChildRecord();
    record.attend('explore-task-1');
    record.observe(TASK);
    record.observe({...TASK, agent_id: 'planner-1', role: 'planner'});
    record.observe({...TASK, agent_id: 'evaluator-1', role: 'evaluator'});
    expect([record.all(), record.get('explore-task-1'), record.get('planner-1')]).toEqual([[], undefined, undefined]);
  });
});
