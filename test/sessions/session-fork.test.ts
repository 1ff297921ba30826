import {readdirSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {loadLog} from '../../src/sessions/log-reader.ts';
import {forkSession} from '../../src/sessions/session-fork.ts';
import {allSessionFiles, findSession} from '../../src/sessions/session-files.ts';
import {createSession, deleteSession} from '../../src/sessions/session-store.ts';
import {scratch} from '../support/scratch.ts';
import {wholeTurn} from './events.ts';

const STARTED: ThreadEvent = {
  type: 'thread.started',
  schema_version: '1',
  thread_id: 'thr_1',
  cwd: '/w',
  model: 'test/m',
  toolset: 'fettle',
  fettle_version: '0',
  parent_thread_id: 'thr_0',
  agent: 'worker',
};
const QUEUED: ThreadEvent = {type: 'input.queued', thread_id: 'thr_1', input_id: 'inp_1', kind: 'follow_up', text: 'then this'};
const STATUS: ThreadEvent = {
  type: 'agent.status',
  thread_id: 'thr_1',
  agent_id: 'worker-1',
  agent: 'worker',
  child_thread_id: 'thr_2',
  status: 'running',
  run_id: 'run_1',
  task: 'Do it.',
};

const CHILD: ThreadEvent = {...STARTED, thread_id: 'thr_2', parent_thread_id: 'thr_1'};
const ORDER: ThreadEvent = {...QUEUED, thread_id: 'thr_2', input_id: 'inp_2', text: 'Do it.'};

async function written(stateDir: string, threadId: string, events: readonly ThreadEvent[]): Promise<void> {
  const {log} = await createSession({stateDir, threadId});
  for (const event of events) log.append(event);
  log.close();
}

async function eventsOf(stateDir: string, threadId: string): Promise<ThreadEvent[]> {
  return (await loadLog(findSession(stateDir, threadId).file)).events.map(({event}) => event);
}

describe('a fork goes its own way', () => {
  it('inputs that wait are applied where they were sent, and it is not a subagent itself', async () => {
    const stateDir = await scratch({});
    await written(stateDir, 'thr_1', [STARTED, QUEUED]);
    const fork = await forkSession(stateDir, 'thr_1');
    const {parent_thread_id: _parent, agent: _agent, ...started} = STARTED;
    expect(await eventsOf(stateDir, fork.threadId)).toEqual([{...started, thread_id: fork.threadId, forked_from: 'thr_1'}]);
  });

  it('its subagents are copies: with their logs, what they were told, and ids of their own; deleting it leaves the others', async () => {
    const stateDir = await scratch({});
    await written(stateDir, 'thr_1', [STARTED, STATUS, {...STATUS, status: 'completed'}]);
    await written(stateDir, 'thr_2', [CHILD, ORDER]);
    const {threadId} = await forkSession(stateDir, 'thr_1');
    const [, status] = await eventsOf(stateDir, threadId);
    const child = status?.type === 'agent.status' ? status.child_thread_id : '';
    expect(await eventsOf(stateDir, threadId)).toMatchObject([
      {type: 'thread.started'},
      {...STATUS, thread_id: threadId, child_thread_id: child},
      {...STATUS, thread_id: threadId, child_thread_id: child, status: 'completed'},
    ]);
    expect(await eventsOf(stateDir, child)).toEqual([
      {...CHILD, thread_id: child, parent_thread_id: threadId, forked_from: 'thr_2'},
      {...ORDER, thread_id: child},
    ]);
    expect([child === 'thr_2', await deleteSession(stateDir, threadId), await eventsOf(stateDir, 'thr_2')]).toEqual([
      false,
      [child],
      [CHILD, ORDER],
    ]);
  });

  it('a session that a log only claims as a subagent is not copied, nor one that is not there', async () => {
    const stateDir = await scratch({});
    await written(stateDir, 'thr_1', [STARTED, {...STATUS, child_thread_id: 'thr_9'}, {...STATUS, child_thread_id: 'thr_8'}]);
    await written(stateDir, 'thr_9', [{...CHILD, thread_id: 'thr_9', parent_thread_id: 'thr_7'}]);
    const {threadId} = await forkSession(stateDir, 'thr_1');
    expect(
      allSessionFiles(stateDir)
        .map((one) => one.threadId)
        .toSorted(),
    ).toEqual(['thr_1', 'thr_9', threadId].toSorted());
  });
});

describe('a session that is being forked (issue › crash)', () => {
  it('is not there before it is whole: whoever is killed then leaves no half of one', async () => {
    const stateDir = await scratch();
    const {file, log} = await createSession({stateDir, threadId: 'thr_a'});
    for (const event of wholeTurn()) log.append(event);
    log.close();
    const names = (): string[] =>
      readdirSync(join(stateDir, 'sessions'), {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.jsonl'));
    const forking = forkSession(stateDir, 'thr_a');
    // It has begun to write, and has not read anything yet.
    expect(names().map((name) => basename(name))).toEqual([basename(file)]);
    const fork = await forking;
    expect([names().length, (await loadLog(fork.file)).events.length]).toEqual([2, (await loadLog(file)).events.length]);
  });
});
