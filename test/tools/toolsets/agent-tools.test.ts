import {describe, expect, it} from 'vitest';
import type {AgentInfo, ChildAgents} from '../../../src/tools/ports/agent-runner.ts';
import {estimateTokens} from '../../../src/context/compaction/estimate-tokens.ts';
import {toolSchemas} from '../../../src/tools/arguments/schema.ts';
import {AGENT_TOOLS, AGENT_TOOLS_BY_NAME} from '../../../src/tools/toolsets/agent-tools.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset} from '../support/open-toolset.ts';

/** Subagents that note what they are asked. */
function noting(infos: readonly AgentInfo[] = []) {
  const asked: unknown[] = [];
  const note = (name: string) => async (order: unknown) => {
    asked.push([name, order]);
    return infos[0] ?? {id: 'worker-1', profile: 'worker', status: 'queued', task: 'Do it.'};
  };
  const children: ChildAgents = {
    spawn: note('spawn'),
    send: note('send'),
    resume: note('resume'),
    close: note('close'),
    async wait(order) {
      asked.push(['wait', order]);
      return infos;
    },
    list: async () => infos,
    async proposal() {
      return {files: [], diff: 'diff --git a/a b/a', apply: async () => undefined};
    },
  };
  const run = async () => ({response: '', turnsUsed: 0, completed: true});
  return {asked, agents: {profiles: [{name: 'worker', description: '', isSubagent: true}], run, children}};
}

const INFOS: readonly AgentInfo[] = [
  {
    id: 'worker-1',
    profile: 'worker',
    status: 'completed',
    task: 'Do it.',
    response: '## Summary\nDone.',
    changes: [{path: '/w/a', kind: 'update'}],
  },
  {id: 'explore-1', profile: 'explore', status: 'failed', task: 'Look.', message: 'The limit of 40 turns is reached.', response: 'I look.'},
  {id: 'explore-2', profile: 'explore', status: 'waiting', task: 'Look again.'},
];

describe('agents: one tool for spawn, send, wait, resume, close and list', () => {
  it('what it asks of the thread', async () => {
    const {asked, agents} = noting(INFOS);
    const tools = await openToolset('fettle', await scratch({}), {context: {agents}});
    await tools.call('agents', {action: 'spawn', agent: 'worker', message: 'Do it.'});
    await tools.call('agents', {action: 'send', id: 'worker-1', message: 'More.', interrupt: true});
    await tools.call('agents', {action: 'wait', agent: 'worker-1', timeout_s: 9999});
    await tools.call('agents', {action: 'wait'});
    await tools.call('agents', {action: 'resume', agent: 'worker-1'});
    await tools.call('agents', {action: 'close', target: 'worker-1'});
    expect(asked).toEqual([
      ['spawn', {profile: 'worker', task: 'Do it.', callId: 'call_1'}],
      ['send', {id: 'worker-1', message: 'More.', now: true, callId: 'call_2'}],
      ['wait', {ids: ['worker-1'], timeoutMs: 3_600_000, callId: 'call_3'}],
      ['wait', {ids: [], timeoutMs: 300_000, callId: 'call_4'}],
      ['resume', {id: 'worker-1', message: undefined, callId: 'call_5'}],
      ['close', 'worker-1'],
    ]);
  });

  it('what a model is shown', async () => {
    const {agents} = noting(INFOS);
    const tools = await openToolset('fettle', await scratch({}), {context: {agents}});
    expect(await tools.text('agents', {action: 'list'})).toMatchInlineSnapshot(`
      "worker-1: completed · Do it.
      [1 changed file not merged: merge_agent]

      explore-1: failed (The limit of 40 turns is reached.) · Look.

      explore-2: waiting · Look again."
    `);
    const one = await openToolset('fettle', await scratch({}), {context: {agents: noting(INFOS.slice(0, 1)).agents}});
    expect(await one.text('agents', {action: 'wait'})).toMatchInlineSnapshot(`
      "worker-1: completed
      ## Summary
      Done.
      [1 changed file not merged: merge_agent]

      diff --git a/a b/a"
    `);
  });

  it('the five names of VT Code mean the same, in every toolset', async () => {
    for (const toolset of ['vtcode', 'fettle', 'blade']) {
      const {asked, agents} = noting(INFOS);
      const tools = await openToolset(toolset, await scratch({}), {context: {agents}});
      await tools.call('vtcode__spawn_agent', {agent_type: 'worker', message: 'Do it.'});
      await tools.call('send_input', {id: 'worker-1', message: 'More.', interrupt: true});
      await tools.call('wait_agent', {targets: ['worker-1'], timeout_ms: 1000});
      await tools.call('resume_agent', {id: 'worker-1', message: 'Again.'});
      await tools.call('close_agent', {target: 'worker-1'});
      expect(asked).toEqual([
        ['spawn', {profile: 'worker', task: 'Do it.', callId: 'call_1'}],
        ['send', {id: 'worker-1', message: 'More.', now: true, callId: 'call_2'}],
        ['wait', {ids: ['worker-1'], timeoutMs: 1000, callId: 'call_3'}],
        ['resume', {id: 'worker-1', message: 'Again.', callId: 'call_4'}],
        ['close', 'worker-1'],
      ]);
    }
  });

  it('a tool that two toolsets share is found from a third', async () => {
    const tools = await openToolset('blade', await scratch({}), {context: {agents: noting().agents}});
    expect(await tools.text('merge_agent', {agent: 'worker-1'})).toContain('worker-1 changed nothing.');
  });

  it('they cost what they are worth', () => {
    const size = (tools: Parameters<typeof toolSchemas>[0]['tools']): number => estimateTokens(JSON.stringify(toolSchemas({tools})));
    expect(size(AGENT_TOOLS)).toBeLessThan(500);
    expect(size(AGENT_TOOLS_BY_NAME)).toBeLessThan(700);
  });
});
