import {readdirSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {loadLog} from '../../src/sessions/log-reader.ts';
import {forkSession} from '../../src/sessions/session-fork.ts';
import {createSession, openSession} from '../../src/sessions/session-store.ts';
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

describe('a fork goes its own way', () => {
  it('inputs that wait are applied where they were sent, subagents work for who started them, and it is no subagent itself', async () => {
    const stateDir = await scratch({});
    const {log} = await createSession({stateDir, threadId: 'thr_1'});
    for (const event of [STARTED, QUEUED, STATUS]) log.append(event);
    log.close();
    const fork = await forkSession(stateDir, 'thr_1');
    const events: ThreadEvent[] = [];
    const copy = await openSession(stateDir, fork.threadId, (event) => void events.push(event));
    copy.log.close();
    const {parent_thread_id: _parent, agent: _agent, ...started} = STARTED;
    expect(events).toEqual([{...started, thread_id: fork.threadId, forked_from: 'thr_1'}]);
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
