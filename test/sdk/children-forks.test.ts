import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {forkWithSummary} from '../../src/sdk/sessions/fork-with-summary.ts';
import {loadLog} from '../../src/sessions/log-reader.ts';
import {forkSession} from '../../src/sessions/session-fork.ts';
import {findSession} from '../../src/sessions/session-files.ts';
import {listSessions} from '../../src/sessions/session-list.ts';
import {createSession} from '../../src/sessions/session-store.ts';
import {scratch} from '../support/scratch.ts';
import {agents, delegationRig, lastResult, userTexts} from './delegation-support.ts';

describe('the subagents of a fork (issue 5 › summarized fork and full fork)', () => {
  it('the fork knows them and can tell them more, in their conversation; those of the session it came from hear nothing of it', async () => {
    const shown: string[] = [];
    const told: string[][] = [];
    const rig = await delegationRig({
      parent: [
        agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}),
        agents({action: 'wait'}),
        {text: 'Done.'},
        agents({action: 'list'}),
        (request) => (shown.push(lastResult(request)), agents({action: 'send', agent: 'explore-1', message: 'And more?'})),
        agents({action: 'wait'}),
        (request) => (shown.push(lastResult(request)), {text: 'Done, too.'}),
      ],
      children: {ALPHA: [{text: 'One.'}, (request) => (told.push(userTexts(request)), {text: 'Two.'})]},
    });
    const first = await rig.open();
    await first.thread.close(await first.run('Go.'));
    const stateDir = `${rig.home}/state`;
    const childOf = (parent: string): string =>
      listSessions({stateDir, subagents: true}).find((session) => session.parent === parent)?.file ?? '';
    const before = await readFile(childOf(first.thread.id), 'utf8');
    const fork = await forkSession(stateDir, first.thread.id);
    const second = await rig.open({resume: {id: fork.threadId}});
    const result = await second.run('Go on.');
    await second.thread.close(result);
    expect([result.text, rig.violations]).toEqual(['Done, too.', []]);
    expect(shown).toEqual(['explore-1: completed · ALPHA', 'explore-1: completed\nTwo.']);
    expect(told).toEqual([['ALPHA', 'And more?']]);
    expect([await readFile(childOf(first.thread.id), 'utf8'), childOf(fork.threadId) === '']).toEqual([before, false]);
  });

  it('a summarized fork has what they found in a turn that was cut off', async () => {
    const stateDir = await scratch({});
    const {log} = await createSession({stateDir, threadId: 'thr_1'});
    const ids = {thread_id: 'thr_1', agent_id: 'worker-1', agent: 'worker', child_thread_id: 'thr_2', run_id: 'run_1'};
    const events: ThreadEvent[] = [
      {type: 'thread.started', schema_version: '1', thread_id: 'thr_1', cwd: '/w', model: 'm', toolset: 'fettle', fettle_version: '0'},
      {type: 'turn.started', thread_id: 'thr_1', turn_id: 'trn_1'},
      {type: 'item.completed', turn_id: 'trn_1', item: {id: 'itm_1', type: 'user_message', text: 'Go.'}},
      {type: 'agent.status', ...ids, status: 'completed', task: 'Look.', response: '## Facts\n- a.txt:1 says one'},
    ];
    for (const event of events) log.append(event);
    log.close();
    const fork = await forkWithSummary(stateDir, 'thr_1');
    const logged = await loadLog(findSession(stateDir, fork.threadId).file);
    const boundary = logged.events.map(({event}) => event).find(({type}) => type === 'thread.compact_boundary');
    const memory = boundary?.type === 'thread.compact_boundary' ? boundary.memory : undefined;
    expect(memory).toMatchObject({grounded_facts: [{fact: 'a.txt:1 says one', source: 'subagent:worker-1'}]});
  });
});
