import {describe, expect, it} from 'vitest';
import {listSessions} from '../../src/sessions/session-list.ts';
import {agents, call, delegationRig, lastResult, statuses, userTexts, type Answer} from './delegation-support.ts';

const REPORT = `## Summary
It is there.
## Facts
- a.txt:1 says one
## Touched files
- None
## Verification
- npm test: passed
## Open questions
- Who wrote it?`;

describe('spawn, send, wait, resume, close (VT Code › delegation)', () => {
  it('a subagent works beside the thread; wait gives its report, and its findings are in the memory when the turn ends', async () => {
    let waited = '';
    const rig = await delegationRig(
      {
        parent: [
          agents({action: 'spawn', agent: 'explore', message: 'ALPHA: where is it?'}),
          agents({action: 'wait'}),
          (request) => {
            waited = lastResult(request);
            return {text: 'Done.'};
          },
        ],
        children: {ALPHA: [call('read', {path: 'a.txt'}), {text: REPORT}]},
      },
      {'a.txt': 'one\n'},
    );
    const {thread, events, run} = await rig.open();
    const result = await run('Go.');
    await thread.close(result);
    expect(rig.violations).toEqual([]);
    expect([result.outcome, result.text]).toEqual(['success', 'Done.']);
    expect(waited).toBe(`explore-1: completed\n${REPORT}`);
    expect(statuses(events)).toEqual(['explore-1 queued', 'explore-1 running', 'explore-1 completed']);
    const noted = events.flatMap((event) => (event.type === 'memory.noted' ? [{facts: event.facts, delegated: event.delegated}] : []));
    expect(noted).toEqual([
      {
        facts: [{fact: 'a.txt:1 says one', source: 'subagent:explore-1'}],
        delegated: {
          agent: 'explore-1',
          summary: 'It is there.',
          facts: ['a.txt:1 says one'],
          touched_files: [],
          verification: ['npm test: passed'],
          open_questions: ['Who wrote it?'],
        },
      },
    ]);
    const types = events.map(({type}) => type);
    expect(types.indexOf('memory.noted')).toBe(types.indexOf('turn.completed') - 1);
    const own = events.flatMap((event) => (event.type === 'agent.event' ? [event.event.type] : []));
    expect(own.filter((type) => type !== 'item.updated')).toMatchInlineSnapshot(`
      [
        "thread.started",
        "input.queued",
        "turn.started",
        "interjected",
        "item.completed",
        "item.started",
        "item.completed",
        "item.completed",
        "item.started",
        "item.completed",
        "turn.completed",
        "thread.completed",
      ]
    `);
    const requests = events.flatMap((event) => (event.type === 'request.completed' ? [event.agent ?? 'thread'] : []));
    expect(requests.sort()).toEqual(['explore', 'explore', 'thread', 'thread', 'thread']);
  });

  it('its conversation is a session of its own, that names its thread and is not in the list of a person', async () => {
    const rig = await delegationRig({
      parent: [agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}), agents({action: 'wait'}), {text: 'Done.'}],
      children: {ALPHA: [{text: 'Nothing.'}]},
    });
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    const stateDir = `${rig.home}/state`;
    expect(listSessions({stateDir}).map(({threadId, parent}) => [threadId, parent])).toEqual([[thread.id, undefined]]);
    const all = listSessions({stateDir, subagents: true}).filter(({parent}) => parent !== undefined);
    expect(all.map(({parent, title, outcome}) => [parent, title, outcome])).toEqual([[thread.id, 'ALPHA', 'success']]);
  });

  it('send reaches one that is done, with its conversation; with now one that works, before its next request', async () => {
    const shown: string[][] = [];
    const gate = Promise.withResolvers<void>();
    const rig = await delegationRig(
      {
        parent: [
          agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}),
          async () => {
            await gate.promise;
            return agents({action: 'send', agent: 'explore-1', message: 'Look at b.', now: true});
          },
          agents({action: 'wait'}),
          agents({action: 'send', agent: 'explore-1', message: 'And c?'}),
          agents({action: 'wait', agent: 'explore-1'}),
          {text: 'Done.'},
        ],
        children: {
          ALPHA: [
            async () => {
              gate.resolve();
              // Until the message was taken: the thread's next request comes after it.
              while (rig.asked.length < 4) await new Promise((resolve) => void setImmediate(resolve));
              return call('read', {path: 'a.txt'});
            },
            (request) => (shown.push(userTexts(request)), {text: 'Seen b.'}),
            (request) => (shown.push(userTexts(request)), {text: 'Seen c.'}),
          ],
        },
      },
      {'a.txt': 'one\n'},
    );
    const {thread, events, run} = await rig.open();
    const result = await run('Go.');
    await thread.close(result);
    expect(result.outcome).toBe('success');
    expect(shown).toEqual([
      ['ALPHA', 'Look at b.'],
      ['ALPHA', 'Look at b.', 'And c?'],
    ]);
    expect(statuses(events)).toEqual(
      ['queued', 'running', 'completed', 'queued', 'running', 'completed'].map((status) => `explore-1 ${status}`),
    );
  });

  it('close ends one that works; resume goes on with it', async () => {
    const gate = Promise.withResolvers<void>();
    const results: string[] = [];
    const rig = await delegationRig({
      parent: [
        agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}),
        async () => {
          await gate.promise;
          return agents({action: 'close', agent: 'explore-1'});
        },
        (request) => (results.push(lastResult(request)), agents({action: 'resume', agent: 'explore-1'})),
        agents({action: 'wait'}),
        (request) => (results.push(lastResult(request)), {text: 'Done.'}),
      ],
      children: {ALPHA: [() => (gate.resolve(), {text: 'I begin', stallAfter: 0}), (request) => ({text: userTexts(request).join(' | ')})]},
    });
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(results[0]).toMatch(/^explore-1: closed \(It was closed\.\)/);
    expect(results[1]).toBe('explore-1: completed\nALPHA | Your work was cut off. Look at what is done already, then go on with it.');
  });

  it('what is wrong is said to the model', async () => {
    const results: string[] = [];
    const next =
      (answer: Answer): Answer =>
      (request) => (results.push(lastResult(request)), answer as never);
    const rig = await delegationRig({
      parent: [
        agents({action: 'spawn', agent: 'nobody', message: 'ALPHA'}),
        next(agents({action: 'spawn', agent: 'default', message: 'ALPHA'})),
        next(agents({action: 'spawn', agent: 'explore', message: ' '})),
        next(agents({action: 'send', agent: 'explore-1', message: 'x'})),
        next(agents({action: 'list'})),
        next({text: 'Done.'}),
      ],
    });
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(results).toMatchInlineSnapshot(`
      [
        "Error: There is no subagent "nobody".
      Subagents: explore, worker, reviewer.",
        "Error: default is not a subagent: it cannot take a task.
      Subagents: explore, worker, reviewer.",
        "Error: spawn needs message.
      Send message as well.",
        "Error: There is no subagent "explore-1".
      None was started; spawn one.",
        "No subagent was started.",
      ]
    `);
  });

  it('one that still works when its thread ends is closed, and says so', async () => {
    const gate = Promise.withResolvers<void>();
    const rig = await delegationRig({
      parent: [agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}), async () => (await gate.promise, {text: 'Done.'})],
      children: {ALPHA: [() => (gate.resolve(), {text: 'I begin', stallAfter: 0})]},
    });
    const {thread, events, run} = await rig.open({approve: async () => ({decision: 'allow'})});
    await thread.close(await run('Go.'));
    const last = events.findLast((event) => event.type === 'agent.status');
    expect(last).toMatchObject({status: 'closed', message: 'Its thread ended before it did.'});
    expect(events.at(-1)?.type).toBe('thread.completed');
  });

  it('where nobody is there, an answer that would end one is sent back once', async () => {
    const gate = Promise.withResolvers<void>();
    let told: string[] = [];
    const rig = await delegationRig({
      parent: [
        agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}),
        async () => (await gate.promise, {text: 'Done.'}),
        (request) => ((told = userTexts(request)), {text: 'Done all the same.'}),
      ],
      children: {ALPHA: [() => (gate.resolve(), {text: 'I begin', stallAfter: 0})]},
    });
    const {thread, run} = await rig.open();
    const result = await run('Go.');
    await thread.close(result);
    expect(result.text).toBe('Done all the same.');
    expect(told).toEqual([
      'Go.',
      'explore-1 still works, and would be ended with your answer. Wait for them (agents wait) or close them, then answer again.',
    ]);
  });
});
