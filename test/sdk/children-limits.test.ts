import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ScriptedAnswer} from '../../src/testing/index.ts';
import type {ApprovalAnswer} from '../../src/tools/dispatch/dispatch.ts';
import {agents, call, delegationRig, lastResult, statuses, type Answer} from './delegation-support.ts';

const spawnAll = (names: readonly string[], agent = 'explore'): ScriptedAnswer => ({
  toolCalls: names.map((name) => ({name: 'agents', arguments: {action: 'spawn', agent, message: name}})),
});
const idle = async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve));

describe('concurrency (VT Code › subagents: max_concurrent 3, hard 5)', () => {
  it('three work at the same time, the others wait; each place is free again after success, failure, cancellation and an exception', async () => {
    const names = ['ALPHA', 'BRAVO', 'CHARLIE', 'DELTA', 'ECHO', 'FOXTROT'];
    let busy = 0;
    let most = 0;
    const work =
      (answer: ScriptedAnswer): Answer =>
      async () => {
        most = Math.max(most, (busy += 1));
        for (let turn = 0; turn < 20; turn += 1) await idle();
        busy -= 1;
        return answer;
      };
    let listed = '';
    const rig = await delegationRig({
      parent: [spawnAll(names), agents({action: 'wait'}), (request) => ((listed = lastResult(request)), {text: 'Done.'})],
      children: {
        ALPHA: [work({text: 'a'})],
        BRAVO: [work({status: 400})],
        CHARLIE: [work({text: 'c', stop: 'refusal'})],
        DELTA: [work({text: 'd'})],
        ECHO: [work({garbage: 'x'}), work({status: 400})],
        FOXTROT: [work({text: 'f'})],
      },
    });
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(most).toBe(3);
    expect(listed.match(/^explore-\d: \w+/gm)).toEqual([
      'explore-1: completed',
      'explore-2: failed',
      'explore-3: failed',
      'explore-4: completed',
      'explore-5: failed',
      'explore-6: completed',
    ]);
  });

  it.each([
    ['subagents = {max_concurrent = 1}', 1],
    ['subagents = {max_concurrent = 9}', 5],
  ])('the setting says how many, and never more than 5: %s', async (config, expected) => {
    const names = ['ALPHA', 'BRAVO', 'CHARLIE', 'DELTA', 'ECHO', 'FOXTROT', 'GOLF'];
    let busy = 0;
    let most = 0;
    const work = async (): Promise<ScriptedAnswer> => {
      most = Math.max(most, (busy += 1));
      for (let turn = 0; turn < 30; turn += 1) await idle();
      busy -= 1;
      return {text: 'ok'};
    };
    const rig = await delegationRig({
      parent: [spawnAll(names), agents({action: 'wait'}), {text: 'Done.'}],
      children: Object.fromEntries(names.map((name) => [name, [work]])),
    });
    await writeFile(join(rig.home, 'config.toml'), `${config}\n`);
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(most).toBe(expected);
  });

  it('the seventeenth that would be busy is refused, none is dropped', async () => {
    let shown = '';
    const gate = Promise.withResolvers<void>();
    const held: Answer = async () => (await gate.promise, {text: 'ok'});
    const rig = await delegationRig({
      parent: [
        spawnAll(Array.from({length: 16}, () => 'ALPHA')),
        agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}),
        (request) => ((shown = lastResult(request)), gate.resolve(), agents({action: 'wait'})),
        {text: 'Done.'},
      ],
      children: {ALPHA: Array.from({length: 16}, () => held)},
    });
    const {thread, events, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(shown).toBe('Error: 16 subagents are already busy.\nWait for some, or close them.');
    expect(statuses(events).filter((status) => status.endsWith('completed'))).toHaveLength(16);
  });

  it('one that waits and is closed leaves its place to the next', async () => {
    const gates = ['ALPHA', 'BRAVO', 'CHARLIE'].map(() => Promise.withResolvers<void>());
    const held =
      (index: number): Answer =>
      async () => (await gates[index]?.promise, {text: 'ok'});
    const rig = await delegationRig({
      parent: [
        spawnAll(['ALPHA', 'BRAVO', 'CHARLIE', 'DELTA', 'ECHO']),
        agents({action: 'close', agent: 'explore-4'}),
        () => {
          for (const gate of gates) gate.resolve();
          return agents({action: 'wait'});
        },
        {text: 'Done.'},
      ],
      children: {ALPHA: [held(0)], BRAVO: [held(1)], CHARLIE: [held(2)], DELTA: [], ECHO: [{text: 'e'}]},
    });
    const {thread, events, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(statuses(events).filter((status) => /-[45]/.test(status))).toEqual([
      'explore-4 queued',
      'explore-5 queued',
      'explore-4 closed',
      'explore-5 running',
      'explore-5 completed',
    ]);
  });

  it('max_depth 1: a subagent can start no other, by no name', async () => {
    const shown: string[] = [];
    const rig = await delegationRig({
      parent: [agents({action: 'spawn', agent: 'worker', message: 'ALPHA'}), agents({action: 'wait'}), {text: 'Done.'}],
      children: {
        ALPHA: [
          agents({action: 'spawn', agent: 'worker', message: 'ALPHA'}),
          (request) => (shown.push(lastResult(request)), call('task', {task: 'x'})),
          (request) => (shown.push(lastResult(request)), call('spawn_agent', {agent_type: 'worker', message: 'x'})),
          (request) => (shown.push(lastResult(request)), {text: 'Alone.'}),
        ],
      },
    });
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(shown).toEqual(Array.from({length: 3}, () => 'Error: A subagent cannot start another.\nDo this part yourself.'));
  });

  it('the budget of the thread holds for all of them', async () => {
    const rig = await delegationRig({
      parent: [agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}), agents({action: 'wait'})],
      children: {ALPHA: Array.from({length: 10}, (_, n) => call('read', {path: `f${n}`}))},
    });
    const {thread, events, run} = await rig.open({flags: {'--max-turns': '6'}});
    const result = await run('Go.');
    await thread.close(result);
    expect(result.outcome).toBe('turn_limit_reached');
    expect(events.filter(({type}) => type === 'request.completed')).toHaveLength(6);
    expect(events.findLast((event) => event.type === 'agent.status')).toMatchObject({
      status: 'failed',
      message: 'The limit of 6 turns is reached.',
    });
  });
});

describe('permissions of subagents', () => {
  it('one lock for all: a person is asked one question at a time, and the subagent that asks is shown as waiting', async () => {
    let asking = 0;
    let most = 0;
    const approve = async (): Promise<ApprovalAnswer> => {
      most = Math.max(most, (asking += 1));
      for (let turn = 0; turn < 10; turn += 1) await idle();
      asking -= 1;
      return {decision: 'allow'};
    };
    const write = (path: string): Answer => call('write', {path, content: 'x\n'});
    const rig = await delegationRig({
      parent: [spawnAll(['ALPHA', 'BRAVO'], 'worker'), write('own.txt'), agents({action: 'wait'}), {text: 'Done.'}],
      children: {ALPHA: [write('a.txt'), {text: 'ok'}], BRAVO: [write('b.txt'), {text: 'ok'}]},
    });
    const {thread, events, run} = await rig.open({approve});
    await thread.close(await run('Go.'));
    expect(most).toBe(1);
    expect(statuses(events).filter((status) => status.startsWith('worker-1'))).toEqual(
      ['queued', 'running', 'waiting', 'running', 'completed'].map((status) => `worker-1 ${status}`),
    );
    const asked = events.flatMap((event) => (event.type === 'permission.requested' ? [event.agent ?? 'thread'] : []));
    expect(asked.sort()).toEqual(['thread', 'worker', 'worker']);
  });

  it('nobody to ask: denied, and the thread that waits for it ends as denied', async () => {
    const rig = await delegationRig({
      parent: [agents({action: 'spawn', agent: 'worker', message: 'ALPHA'}), agents({action: 'wait'}), {text: 'Done.'}],
      children: {ALPHA: [call('write', {path: 'a.txt', content: 'x\n'}), {text: 'I may not.'}]},
    });
    const {thread, run} = await rig.open();
    const result = await run('Go.');
    await thread.close(result);
    expect([result.outcome, result.denied]).toEqual(['denied', ['agents']]);
  });

  it('rules may name the profile', async () => {
    let shown = '';
    const rig = await delegationRig({
      parent: [agents({action: 'spawn', agent: 'worker', message: 'ALPHA'}), (request) => ((shown = lastResult(request)), {text: 'Done.'})],
    });
    const {thread, run} = await rig.open({flags: {'--deny': ['task:worker']}});
    await thread.close(await run('Go.'));
    expect(shown).toContain('Denied: ');
  });
});
