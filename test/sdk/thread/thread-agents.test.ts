import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {openDelegation} from '../../../src/sdk/subagents/open-delegation.ts';
import {threadAgents} from '../../../src/sdk/thread/thread-agents.ts';
import {scratch} from '../../support/scratch.ts';
import {agents, call, delegationRig, lastResult, statuses, type Answer} from '../delegation-support.ts';

const task = (prompt: string): Answer => call('task', {description: 'look', prompt, agent: 'explore'});

const told = (events: readonly ThreadEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'request.failed')
      return [`failed${event.agent_id === undefined ? '' : ` of ${event.agent_id}`}: ${event.received?.slice(0, 1) ?? '-'}`];
    return event.type === 'item.completed' && event.item.type === 'harness' ? [`${event.item.event}: ${event.item.message ?? ''}`] : [];
  });

async function codeOf(body: () => unknown): Promise<string> {
  try {
    await body();
    return 'nothing was thrown';
  } catch (error) {
    return isFettleError(error) ? error.code : String(error);
  }
}

describe('retryRequest', () => {
  it('aborts a stream that hangs and asks again; the turn goes on, and what had arrived is kept as interrupted', async () => {
    const rig = await delegationRig({parent: [{text: 'I begin to look at it', stallAfter: 4}, {text: 'Done.'}]});
    const arrived = Promise.withResolvers<void>();
    const seen: ThreadEvent[] = [];
    let said = '';
    const {thread, run} = await rig.open({
      onEvent(event) {
        seen.push(event);
        if (event.type === 'item.updated') said += event.delta;
        if (said.includes('I')) arrived.resolve();
      },
    });
    const running = run('Go.');
    await arrived.promise;
    const retried = thread.retryRequest();
    const result = await running;
    await thread.close(result);
    expect([retried, result.outcome, result.text, rig.asked.length]).toEqual([1, 'success', 'Done.', 2]);
    expect(told(seen)).toEqual(['failed: I', 'model_retry: The request was aborted to be retried. Trying again now.']);
    expect(seen.filter(({type}) => type.startsWith('turn.')).map(({type}) => type)).toEqual(['turn.started', 'turn.completed']);
  });

  it('reaches the request of a subagent, by its id, and returns 0 where none is open', async () => {
    const hung = Promise.withResolvers<void>();
    const rig = await delegationRig({
      parent: [task('ALPHA: look'), {text: 'Done.'}],
      children: {ALPHA: [() => (hung.resolve(), {text: 'never', stallAfter: 0}), {text: 'It is there.'}]},
    });
    const {thread, events, run} = await rig.open();
    const running = run('Go.');
    await hung.promise;
    const counts = [thread.retryRequest('other'), thread.retryRequest('explore-task-1')];
    const result = await running;
    counts.push(thread.retryRequest());
    await thread.close(result);
    expect([counts, result.text]).toEqual([[0, 1, 0], 'Done.']);
    const own = events.flatMap((event) => (event.type === 'agent.event' ? told([event.event as ThreadEvent]) : []));
    expect(own).toEqual(['model_retry: The request was aborted to be retried. Trying again now.']);
  });
});

describe('agents, agentEvents, cancelAgent', () => {
  it('one that the log says is busy, and that this process has not begun, was cut off', async () => {
    const [cwd, home] = [await scratch({}), await scratch({})];
    const delegation = await openDelegation(await loadSettings({cwd, env: {FETTLE_HOME: home}, home}), 'thr_1');
    const status = (agentId: string, word: 'running' | 'completed'): ThreadEvent => ({
      type: 'agent.status',
      thread_id: 'thr_1',
      agent_id: agentId,
      agent: 'explore',
      child_thread_id: `thr_${agentId}`,
      status: word,
      run_id: 'run',
      task: 'Look.',
    });
    for (const event of [status('a', 'running'), status('b', 'completed'), status('c', 'running')]) delegation.observe(event);
    const {agents: all} = threadAgents({delegation, calls: {assertOpen: () => undefined}});
    delegation.observe(status('c', 'running'));
    delegation.observe(status('d', 'running'));
    expect(all().map(({agent_id: id, status: word, message}) => [id, word, message])).toEqual([
      ['a', 'failed', 'It was cut off.'],
      ['b', 'completed', undefined],
      ['c', 'running', undefined],
      ['d', 'running', undefined],
    ]);
  });

  it('tell of every subagent, also of one that a call waited for, and after the session is resumed; requests name theirs', async () => {
    const rig = await delegationRig({
      parent: [
        task('ALPHA: look'),
        agents({action: 'spawn', agent: 'explore', message: 'BETA: look'}),
        agents({action: 'wait'}),
        {text: 'Done.'},
      ],
      children: {ALPHA: [{text: 'Alpha is there.'}], BETA: [{text: 'Beta is there.'}]},
    });
    const first = await rig.open();
    const result = await first.run('Go.');
    await first.thread.close(result);
    const asked = first.events.flatMap((event) => (event.type === 'request.completed' ? [event.agent_id] : []));
    expect(asked.filter((id) => id !== undefined)).toEqual(['explore-task-1', 'explore-1']);
    const {thread} = await rig.open({resume: {id: first.thread.id}});
    expect(thread.agents().map(({agent_id: id, status}) => `${id} ${status}`)).toEqual(['explore-task-1 completed', 'explore-1 completed']);
    const said = (id: string): string[] =>
      thread
        .agentEvents(id, 100)
        .events.flatMap((event) => (event.type === 'item.completed' && 'text' in event.item ? [event.item.text] : []));
    expect([said('explore-task-1'), said('explore-1')]).toEqual([
      ['ALPHA: look', 'Alpha is there.'],
      ['BETA: look', 'Beta is there.'],
    ]);
    expect([await codeOf(() => thread.agentEvents('nobody', 5)), await codeOf(() => thread.cancelAgent('nobody'))]).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
    expect(await thread.cancelAgent('explore-1')).toBe(false);
    await thread.close();
  });

  it('ends one that a call waits for, and the turn goes on with what it said', async () => {
    const hung = Promise.withResolvers<void>();
    let answered = '';
    const rig = await delegationRig({
      parent: [
        task('ALPHA: look'),
        (request) => {
          answered = lastResult(request);
          return {text: 'Done.'};
        },
      ],
      children: {ALPHA: [() => (hung.resolve(), {text: 'never', stallAfter: 0})]},
    });
    const {thread, events, run} = await rig.open();
    const running = run('Go.');
    await hung.promise;
    const cancelled = await thread.cancelAgent('explore-task-1');
    const result = await running;
    await thread.close(result);
    expect([cancelled, result.outcome, result.text]).toEqual([true, 'success', 'Done.']);
    expect(answered).toContain('[The person ended this subagent.]');
    expect(statuses(events)).toEqual(['explore-task-1 running', 'explore-task-1 closed']);
  });

  it('ends one that works beside the thread, and no other', async () => {
    const hung = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const rig = await delegationRig({
      parent: [
        agents({action: 'spawn', agent: 'explore', message: 'ALPHA: look'}),
        agents({action: 'spawn', agent: 'explore', message: 'BETA: look'}),
        agents({action: 'wait'}),
        {text: 'Done.'},
      ],
      children: {
        ALPHA: [() => (hung.resolve(), {text: 'never', stallAfter: 0})],
        BETA: [async () => (await go.promise, {text: 'Beta is there.'})],
      },
    });
    const {thread, events, run} = await rig.open();
    const running = run('Go.');
    await hung.promise;
    expect(await thread.cancelAgent('explore-1')).toBe(true);
    go.resolve();
    const result = await running;
    await thread.close(result);
    expect(result.text).toBe('Done.');
    expect(thread.agents().map(({agent_id: id, status}) => `${id} ${status}`)).toEqual(['explore-1 closed', 'explore-2 completed']);
    expect(
      statuses(events)
        .filter((line) => line.startsWith('explore-1'))
        .at(-1),
    ).toBe('explore-1 closed');
  });
});
