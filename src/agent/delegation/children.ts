import {FettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import {orLate} from '../../base/waiting/or-late.ts';
import type {AgentStatusChanged} from '../../protocol/events.ts';
import type {AgentInfo, ChildAgents, MergeProposal, ProposedFile} from '../../tools/ports/agent-runner.ts';
import type {ChildRecord} from './child-record.ts';
import {createLiveChild, type LiveChild, type LiveChildOptions, type Order} from './live-child.ts';
import type {Profile, SubagentProfile} from './profile.ts';
import {beginning} from './response.ts';
import {subagentNamed} from './task-runner.ts';

export interface ChildrenOptions extends LiveChildOptions {
  readonly threadId: string;
  readonly profiles: readonly Profile[];
  /** Has seen every event of the thread, including those emitted here. */
  readonly record: ChildRecord;
  /** Returns the files that a child changed in its worktree; empty if it has none. */
  readonly changes: (childThreadId: string) => readonly ProposedFile[];
  readonly proposal: (childThreadId: string) => Promise<MergeProposal>;
  /** A call that waited for a child shows its denials to that child. */
  readonly refuse: (callId: string) => void;
}

export interface Children extends ChildAgents {
  /** Ends the busy subagents, because their thread ends. */
  end(): Promise<void>;
  /** Returns the ids of subagents that work, or wait for a slot. */
  busy(): readonly string[];
}

/** Most subagents that are busy at the same time, including those that wait for a slot. */
const MAX_BUSY = 16;

/**
 * Creates the subagents that work beside a thread (VT Code › delegation: spawn, send, wait, resume, close). The
 * log of the thread records the outcome of each subagent, and the subagent's log its messages. A message is
 * logged before it takes effect, so that a crash neither loses nor repeats one. A subagent that was busy in a
 * process that died is `failed` until it is resumed.
 */
export function createChildren(options: ChildrenOptions): Children {
  const {record} = options;
  const family = createFamily(options);
  const {live, known, info} = family;
  return {
    spawn: async (order) => await spawned(options, family, order),
    send: async ({id, message, now, callId}) => await family.tell(id, {text: nonEmpty(message), now, callId}),
    resume: async ({id, message, callId}) => await family.tell(id, {text: message, now: false, callId}),
    async wait({ids, timeoutMs, callId}, signal) {
      const asked = ids.length === 0 ? record.all().map(({agent_id: id}) => id) : ids.map((id) => known(id).agent_id);
      const ends = Promise.all(asked.map(async (id) => await live.get(id)?.ended()));
      await orLate(ends, timeoutMs, {signal});
      const infos = asked.map(info);
      if (asked.some((id) => live.get(id)?.takeRefusal() === true)) options.refuse(callId);
      return infos;
    },
    async close(id) {
      known(id);
      await live.get(id)?.stop(CLOSED);
      const entry = known(id);
      if (entry.status !== 'closed') options.emit({...entry, status: 'closed', message: CLOSED});
      return info(id);
    },
    list: async () => record.all().map(({agent_id: id}) => info(id)),
    async proposal(id) {
      const {child_thread_id: child} = known(id);
      if (live.get(id)?.isBusy() === true)
        throw new FettleError({code: 'BAD_ARGS', message: `${id} is still working.`, hint: 'Wait for it, or close it.'});
      return await options.proposal(child);
    },
    busy: () => [...live].flatMap(([id, child]) => (child.isBusy() ? [id] : [])),
    async end() {
      await Promise.all([...live.values()].map(async (child) => await child.stop('Its thread ended before it did.')));
    },
  };
}

const CLOSED = 'It was closed.';

/** The subagents in the log, and those to which this process has sent a message. */
interface Family {
  readonly live: Map<string, LiveChild>;
  /** Finds a subagent. Throws NOT_FOUND. */
  known(id: string): AgentStatusChanged;
  info(id: string): AgentInfo;
  childOf(entry: AgentStatusChanged, resumed: boolean): LiveChild;
  /** Throws LIMIT if no further subagent may become busy. */
  roomFor(id: string): void;
  tell(id: string, order: Order): Promise<AgentInfo>;
}

function createFamily(options: ChildrenOptions): Family {
  const {record, profiles} = options;
  const live = new Map<string, LiveChild>();
  const family: Family = {
    live,
    known(id) {
      const entry = record.get(id);
      if (entry !== undefined) return entry;
      const ids = record.all().map(({agent_id: one}) => one);
      const hint = ids.length === 0 ? 'None was started; spawn one.' : `There are: ${ids.join(', ')}.`;
      throw new FettleError({code: 'NOT_FOUND', message: `There is no subagent "${id}".`, hint});
    },
    info: (id) => infoOf(family.known(id), live.get(id)?.isBusy() === true, options.changes),
    childOf(entry, resumed) {
      const found = live.get(entry.agent_id);
      if (found !== undefined) return found;
      const child = createLiveChild(options, {entry, resumed, profile: subagentNamed(profiles, entry.agent)});
      live.set(entry.agent_id, child);
      return child;
    },
    roomFor(id) {
      const busy = [...live].filter(([other, child]) => other !== id && child.isBusy()).length;
      if (busy < MAX_BUSY) return;
      throw new FettleError({code: 'LIMIT', message: `${MAX_BUSY} subagents are already busy.`, hint: 'Wait for some, or close them.'});
    },
    async tell(id, order) {
      const entry = family.known(id);
      family.roomFor(id);
      await family.childOf(entry, true).tell(order);
      return family.info(id);
    },
  };
  return family;
}

async function spawned(
  {threadId, record, profiles}: ChildrenOptions,
  {live, childOf, roomFor, info}: Family,
  {profile: name, task, callId}: Parameters<ChildAgents['spawn']>[0],
): Promise<AgentInfo> {
  const profile = subagentNamed(profiles, name);
  const text = nonEmpty(task);
  const id = nextId(record, profile.name, live);
  roomFor(id);
  const child = childOf(firstEntry(threadId, {id, profile, task: text}), false);
  try {
    await child.tell({text, now: false, callId});
  } catch (error) {
    live.delete(id);
    throw error;
  }
  return info(id);
}

function infoOf(entry: AgentStatusChanged, isBusy: boolean, changesOf: ChildrenOptions['changes']): AgentInfo {
  const {agent_id: id, agent: profile, status, task, message, response, child_thread_id: child} = entry;
  const isActive = status === 'queued' || status === 'running' || status === 'waiting';
  // Busy by the log, but not here: its process is gone.
  if (isActive && !isBusy) return {id, profile, status: 'failed', task, message: 'It was cut off; resuming continues it.'};
  const changes = isActive ? [] : changesOf(child);
  return {id, profile, status, task, message, response, ...(changes.length === 0 ? {} : {changes})};
}

function firstEntry(threadId: string, {id, profile, task}: {id: string; profile: SubagentProfile; task: string}): AgentStatusChanged {
  return {
    type: 'agent.status',
    thread_id: threadId,
    agent_id: id,
    agent: profile.name,
    child_thread_id: newId('thr'),
    status: 'queued',
    run_id: '',
    task: beginning(task),
  };
}

function nextId(record: ChildRecord, profile: string, live: ReadonlyMap<string, LiveChild>): string {
  for (let number = 1; ; number += 1) {
    const id = `${profile}-${number}`;
    if (record.get(id) === undefined && !live.has(id)) return id;
  }
}

function nonEmpty(text: string): string {
  if (text.trim() !== '') return text;
  throw new FettleError({code: 'BAD_ARGS', message: 'The task is empty.', hint: 'Say what to find out or do.'});
}
