import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {exportSession} from '../../src/sessions/export/export-session.ts';
import {listSessions} from '../../src/sessions/session-list.ts';
import {deleteSession} from '../../src/sessions/session-store.ts';
import {check} from '../checks/atif-check.mjs';
import {agents, call, delegationRig, type Answer} from './delegation-support.ts';

const REPORT = '## Summary\nFound.\n## Facts\n- it is in a.txt:1';
const READ = call('read', {path: 'a.txt'});
const taskCall = (word: string) => ({name: 'task', arguments: {agent: 'explore', task: `${word}: where is it?`}});
const task = (word: string): Answer => ({toolCalls: [taskCall(word)]});

interface Atif {
  readonly trajectory_id: string;
  readonly steps: readonly {readonly observation?: {readonly results: readonly {readonly subagent_trajectory_ref?: unknown}[]}}[];
  readonly final_metrics: {readonly total_prompt_tokens: number};
  readonly subagent_trajectories?: readonly Atif[];
}

function statusesOf(events: readonly ThreadEvent[]) {
  return events.flatMap((event) => (event.type === 'agent.status' ? [event] : []));
}

describe('a subagent that a call waits for (issue 5 › delegation, traces)', () => {
  it('has a log below that of its thread: no session of a person, told of by the thread, with the call that began it', async () => {
    const rig = await delegationRig(
      {parent: [task('ALPHA'), {text: 'Done.'}], children: {ALPHA: [READ, {text: REPORT}]}},
      {'a.txt': 'x\n'},
    );
    const {thread, events, run} = await rig.open({flags: {'--toolset': 'vibe'}});
    await thread.close(await run('Go.'));
    expect(rig.violations).toEqual([]);
    const stateDir = join(rig.home, 'state');
    const [parent] = listSessions({stateDir});
    const all = listSessions({stateDir, subagents: true}).map(({threadId, parent: of, agent, outcome, turns}) => [
      threadId,
      of,
      agent,
      outcome,
      turns,
    ]);
    const told = statusesOf(events);
    const id = told[0]?.child_thread_id;
    expect([listSessions({stateDir}).length, all]).toEqual([
      1,
      expect.arrayContaining([
        [parent?.threadId, undefined, undefined, 'success', 1],
        [id, parent?.threadId, 'explore', 'success', 1],
      ]),
    ]);
    expect(
      told.map(({agent_id: agent, role, status, tool_call_id: by, child_thread_id: child}) => [agent, role, status, by, child]),
    ).toEqual([
      ['explore-task-1', 'task', 'running', expect.stringMatching(/\S/), id],
      ['explore-task-1', 'task', 'completed', told[0]?.tool_call_id, id],
    ]);
    const invoked = events.flatMap((event) =>
      event.type === 'item.started' && event.item.type === 'tool_invocation' ? [event.item.tool_call_id] : [],
    );
    expect(invoked).toEqual([told[0]?.tool_call_id]);
  });

  it('its findings are merged once, also when the session goes on', async () => {
    const rig = await delegationRig({parent: [task('ALPHA'), {text: 'One.'}, {text: 'Two.'}], children: {ALPHA: [{text: REPORT}]}});
    const first = await rig.open({flags: {'--toolset': 'vibe'}});
    await first.thread.close(await first.run('Go.'));
    const second = await rig.open({flags: {'--toolset': 'vibe'}, resume: 'latest'});
    await second.thread.close(await second.run('Go on.'));
    const noted = [...first.events, ...second.events].filter(({type}) => type === 'memory.noted');
    const [run] = statusesOf(first.events);
    expect(noted).toEqual([
      expect.objectContaining({run_id: run?.run_id, facts: [{fact: 'it is in a.txt:1', source: 'subagent:explore-task-1'}]}),
    ]);
  });

  it('ATIF embeds it, valid, behind the call that began it; Markdown names its log; deleting the session deletes it', async () => {
    const parent = [{toolCalls: [taskCall('ALPHA'), taskCall('BRAVO')]}, {text: 'Done.'}];
    const rig = await delegationRig({parent, children: {ALPHA: [READ, {text: REPORT}], BRAVO: [{text: 'No.'}]}}, {'a.txt': 'x\n'});
    const {thread, events, run} = await rig.open({flags: {'--toolset': 'vibe'}});
    await thread.close(await run('Go.'));
    const atif = JSON.parse(await exportSession(thread.sessionFile, 'atif')) as Atif;
    const children = new Map(statusesOf(events).map((event) => [event.task.slice(0, 5), event.child_thread_id]));
    expect(check(atif)).toEqual([]);
    expect(atif.subagent_trajectories?.map(({trajectory_id: id, steps}) => [id, steps.length])).toEqual(
      expect.arrayContaining([
        [children.get('ALPHA'), 4],
        [children.get('BRAVO'), 3],
      ]),
    );
    expect(atif.steps[2]?.observation?.results.map((result) => result.subagent_trajectory_ref)).toEqual([
      [{trajectory_id: children.get('ALPHA')}],
      [{trajectory_id: children.get('BRAVO')}],
    ]);
    const sum = atif.subagent_trajectories?.reduce(
      (total, one) => total + one.final_metrics.total_prompt_tokens,
      atif.final_metrics.total_prompt_tokens,
    );
    expect(sum).toBe(5 * 100);
    expect(await exportSession(thread.sessionFile, 'markdown')).toContain(`explore-task-1 completed (session ${children.get('ALPHA')})`);
    const stateDir = join(rig.home, 'state');
    expect([...(await deleteSession(stateDir, thread.id))].sort()).toEqual([...children.values()].sort());
    expect(await readdir(join(stateDir, 'sessions'))).toEqual([]);
  });

  it('one that was cut off by a cancelling is closed, in its log and in that of the thread', async () => {
    const held: Answer = {stallAfter: 0, text: 'never'};
    const cancel = new AbortController();
    const rig = await delegationRig({parent: [task('ALPHA')], children: {ALPHA: [() => (setImmediate(() => cancel.abort()), held)]}});
    const {thread, events} = await rig.open({flags: {'--toolset': 'vibe'}});
    const result = await thread.run('Go.', cancel.signal);
    await thread.close(result);
    expect([result.outcome, statusesOf(events).map(({status}) => status)]).toEqual(['cancelled', ['running', 'closed']]);
    const [child] = listSessions({stateDir: join(rig.home, 'state'), subagents: true}).filter(({parent}) => parent !== undefined);
    expect(child?.outcome).toBe('cancelled');
    expect(check(JSON.parse(await exportSession(thread.sessionFile, 'atif')))).toEqual([]);
  });

  it('a secret that it was told does not stand in its log', async () => {
    const key = `sk-ant-${'a1B2'.repeat(12)}`;
    const rig = await delegationRig({parent: [task(`ALPHA ${key}`), {text: 'Done.'}], children: {ALPHA: [{text: `It is ${key}.`}]}});
    const {thread, run} = await rig.open({flags: {'--toolset': 'vibe'}});
    await thread.close(await run('Go.'));
    const logs = listSessions({stateDir: join(rig.home, 'state'), subagents: true});
    const texts = await Promise.all(logs.map(async ({file}) => await readFile(file, 'utf8')));
    expect([texts.length, texts.filter((text) => text.includes(key)), texts.every((text) => /\[redacted/.test(text))]).toEqual([
      2,
      [],
      true,
    ]);
  });
});

describe('orders name their call (issue 5 › delegation)', () => {
  it('spawn, send and resume: each run has the call that began it', async () => {
    const rig = await delegationRig({
      parent: [
        agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}),
        agents({action: 'wait'}),
        agents({action: 'send', agent: 'explore-1', message: 'More.'}),
        agents({action: 'wait'}),
        {text: 'Done.'},
      ],
      children: {ALPHA: [{text: 'a'}, {text: 'b'}]},
    });
    const {thread, events, run} = await rig.open();
    await thread.close(await run('Go.'));
    const calls = events.flatMap((event) =>
      event.type === 'item.started' && event.item.type === 'tool_invocation' ? [event.item.tool_call_id] : [],
    );
    const runs = new Map(statusesOf(events).map((event) => [event.run_id, event.tool_call_id]));
    expect([...runs.values()]).toEqual([calls[0], calls[2]]);
    expect(statusesOf(events).every(({role}) => role === undefined)).toBe(true);
  });
});
