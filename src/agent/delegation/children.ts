import {FettleError, toFettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import type {AgentStatusChanged, ThreadEvent} from '../../protocol/events.ts';
import type {AgentInfo, AgentStatus, ChildAgents, MergeProposal, ProposedFile} from '../../tools/agent-runner.ts';
import {createOneAtATime, type OneAtATime} from '../../tools/one-at-a-time.ts';
import {orAbort} from '../../tools/or-abort.ts';
import type {RunResult} from '../thread.ts';
import type {ChildRecord} from './child-record.ts';
import type {Profile, SubagentProfile} from './profile.ts';
import type {Slots} from './slots.ts';
import {responseOf, subagentNamed} from './task-runner.ts';

/** A subagent whose session is open. */
export interface OpenedChild {
  /** Accepts an order: it is in the log of the child from then on. Throws LIMIT. */
  add(kind: 'steer' | 'follow_up', text: string): void;
  /** Orders that are not yet begun. */
  waiting(): number;
  /** Does the orders that wait. */
  run(signal: AbortSignal): Promise<RunResult>;
  readonly said: readonly string[];
  /** Ends the session, and everything that it used. */
  close(result: RunResult | undefined): Promise<void>;
}

export interface ChildOrder {
  readonly agentId: string;
  readonly threadId: string;
  readonly profile: SubagentProfile;
  /** False: its session is made. */
  readonly resumed: boolean;
  /** Told when it begins and ends to wait for a person. */
  readonly onWaiting: (waiting: boolean) => void;
}

export interface ChildrenOptions {
  readonly threadId: string;
  readonly profiles: readonly Profile[];
  readonly slots: Slots;
  /** Sees every event of the thread, also those that are emitted here. */
  readonly record: ChildRecord;
  readonly emit: (event: ThreadEvent) => void;
  readonly open: (order: ChildOrder) => Promise<OpenedChild>;
  /** What a child changed in its own copy; empty where it has none. */
  readonly changes: (childThreadId: string) => readonly ProposedFile[];
  readonly proposal: (childThreadId: string) => Promise<MergeProposal>;
  /** A call that waited for a child shows what was refused to that. */
  readonly refuse: (callId: string) => void;
}

export interface Children extends ChildAgents {
  /** Ends those that are busy: their thread ends. */
  end(): Promise<void>;
}

/** Busy at the same time, those that wait for a slot included. */
const MAX_BUSY = 16;

/**
 * The subagents of a thread that work beside it (VT Code › delegation: spawn, send, wait, resume, close). The log of the thread tells what
 * became of each, the log of each what it was told: an order is written down before it counts, so that a crash loses none and repeats none.
 * What was busy in a process that died is `failed`, until somebody resumes it.
 */
export function createChildren(options: ChildrenOptions): Children {
  const {record, profiles} = options;
  const live = new Map<string, LiveChild>();
  const known = (id: string): AgentStatusChanged => {
    const entry = record.get(id);
    if (entry !== undefined) return entry;
    const ids = record.all().map(({agent_id: one}) => one);
    const hint = ids.length === 0 ? 'None was started; spawn one.' : `There are: ${ids.join(', ')}.`;
    throw new FettleError({code: 'NOT_FOUND', message: `There is no subagent "${id}".`, hint});
  };
  const childOf = (entry: AgentStatusChanged, resumed: boolean): LiveChild => {
    const found = live.get(entry.agent_id);
    if (found !== undefined) return found;
    const child = createLiveChild(options, {entry, resumed, profile: subagentNamed(profiles, entry.agent)});
    live.set(entry.agent_id, child);
    return child;
  };
  const info = (id: string): AgentInfo => infoOf(known(id), live.get(id)?.isBusy() === true, options.changes);
  const roomFor = (id: string): void => {
    const busy = [...live].filter(([other, child]) => other !== id && child.isBusy()).length;
    if (busy < MAX_BUSY) return;
    throw new FettleError({code: 'LIMIT', message: `${MAX_BUSY} subagents are busy already.`, hint: 'Wait for some, or close them.'});
  };
  const told = async (id: string, order: Order): Promise<AgentInfo> => {
    const entry = known(id);
    roomFor(id);
    await childOf(entry, true).tell(order);
    return info(id);
  };

  return {
    async spawn({profile: name, task}) {
      const profile = subagentNamed(profiles, name);
      const text = nonEmpty(task);
      const id = nextId(record, profile.name, live);
      roomFor(id);
      const entry = firstEntry(options.threadId, {id, profile, task: text});
      const child = childOf(entry, false);
      try {
        await child.tell({text, now: false});
      } catch (error) {
        live.delete(id);
        throw error;
      }
      return info(id);
    },
    send: async ({id, message, now}) => await told(id, {text: nonEmpty(message), now}),
    resume: async ({id, message}) => await told(id, {text: message, now: false}),
    async wait({ids, timeoutMs, callId}, signal) {
      const asked = ids.length === 0 ? record.all().map(({agent_id: id}) => id) : ids.map((id) => known(id).agent_id);
      const ends = Promise.all(asked.map((id) => live.get(id)?.ended()));
      await orAbort(within(ends, timeoutMs), signal);
      const infos = asked.map(info);
      if (asked.some((id) => live.get(id)?.takeRefusal() === true)) options.refuse(callId);
      return infos;
    },
    async close(id) {
      known(id);
      await live.get(id)?.stop('It was closed.');
      const entry = known(id);
      if (entry.status !== 'closed') options.emit({...entry, status: 'closed', message: 'It was closed.'});
      return info(id);
    },
    list: async () => record.all().map(({agent_id: id}) => info(id)),
    async proposal(id) {
      const {child_thread_id: child} = known(id);
      if (live.get(id)?.isBusy() === true)
        throw new FettleError({code: 'BAD_ARGS', message: `${id} is still at work.`, hint: 'Wait for it, or close it.'});
      return await options.proposal(child);
    },
    async end() {
      await Promise.all([...live.values()].map((child) => child.stop('Its thread ended before it did.')));
    },
  };
}

interface Order {
  /** undefined: go on. */
  readonly text: string | undefined;
  readonly now: boolean;
}

interface LiveChild {
  tell(order: Order): Promise<void>;
  isBusy(): boolean;
  /** Resolves when it is not busy. */
  ended(): Promise<void>;
  stop(why: string): Promise<void>;
  /** Whether a call was refused to it, and nobody was told so. */
  takeRefusal(): boolean;
}

interface ChildFacts {
  readonly entry: AgentStatusChanged;
  readonly profile: SubagentProfile;
  readonly resumed: boolean;
}

function createLiveChild(options: ChildrenOptions, {entry, profile, resumed}: ChildFacts): LiveChild {
  const oneByOne: OneAtATime = createOneAtATime();
  let current = entry;
  let hasSession = resumed;
  let opened: OpenedChild | undefined;
  let work: Promise<void> | undefined;
  let abort = new AbortController();
  let stopped: string | undefined;
  let refused = false;

  const put = (change: Partial<AgentStatusChanged> & {readonly status: AgentStatus}): void => {
    current = {...current, message: undefined, response: undefined, ...change};
    options.emit(current);
  };

  /** Until no order waits. When it resolves, the child takes none any more. */
  const runOrders = async (child: OpenedChild): Promise<RunResult> => {
    put({status: 'running'});
    for (;;) {
      const result = await child.run(abort.signal);
      if (!abort.signal.aborted && isAnswer(result) && child.waiting() > 0) continue;
      opened = undefined;
      return result;
    }
  };

  const workOn = async (child: OpenedChild): Promise<void> => {
    let end: Partial<AgentStatusChanged> & {readonly status: AgentStatus};
    let result: RunResult | undefined;
    try {
      result = await options.slots.run(() => runOrders(child), abort.signal);
      end = endOf(result, child.said);
      refused ||= result.outcome === 'denied';
    } catch (error) {
      end = {status: 'failed', message: toFettleError(error).message};
    }
    opened = undefined;
    await child.close(result).catch((error: unknown) => void (end = {...end, status: 'failed', message: toFettleError(error).message}));
    if (stopped !== undefined) end = {...end, status: 'closed', message: stopped};
    work = undefined;
    put(end);
  };

  const begin = async (text: string | undefined): Promise<void> => {
    stopped = undefined;
    abort = new AbortController();
    const onWaiting = (waiting: boolean): void => put({status: waiting ? 'waiting' : 'running'});
    const child = await options.open({agentId: entry.agent_id, threadId: entry.child_thread_id, profile, resumed: hasSession, onWaiting});
    hasSession = true;
    try {
      if (text !== undefined) child.add('follow_up', text);
      else if (child.waiting() === 0) child.add('follow_up', GO_ON);
      opened = child;
      put({status: 'queued', run_id: newId('run'), task: beginning(text ?? current.task)});
    } catch (error) {
      opened = undefined;
      await child.close(undefined);
      throw error;
    }
    // A log that cannot be written ends the thread by its own next event.
    work = workOn(child).catch(() => undefined);
  };

  return {
    isBusy: () => work !== undefined,
    ended: async () => await work,
    tell: async ({text, now}) =>
      await oneByOne(async () => {
        if (opened !== undefined) {
          if (text !== undefined) opened.add(now ? 'steer' : 'follow_up', text);
          return;
        }
        // It has just ended, and its session is being closed.
        await work;
        await begin(text);
      }),
    stop: async (why) =>
      await oneByOne(async () => {
        if (work === undefined) return;
        stopped = why;
        abort.abort();
        await work;
      }),
    takeRefusal() {
      const before = refused;
      refused = false;
      return before;
    },
  };
}

const GO_ON = 'Your work was cut off. Look at what is done already, then go on with it.';

function endOf(result: RunResult, said: readonly string[]): Pick<AgentStatusChanged, 'status' | 'message' | 'response'> {
  const response = clipped(responseOf(result, said));
  return isAnswer(result)
    ? {status: 'completed', message: result.message, response}
    : {status: 'failed', message: result.message ?? result.outcome, response};
}

function isAnswer({outcome}: RunResult): boolean {
  return outcome === 'success' || outcome === 'denied';
}

function infoOf(entry: AgentStatusChanged, isBusy: boolean, changesOf: ChildrenOptions['changes']): AgentInfo {
  const {agent_id: id, agent: profile, status, task, message, response, child_thread_id: child} = entry;
  const isActive = status === 'queued' || status === 'running' || status === 'waiting';
  // Busy by the log, but not here: the process that it worked in is gone.
  if (isActive && !isBusy) return {id, profile, status: 'failed', task, message: 'It was cut off; resume goes on with it.'};
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
  throw new FettleError({code: 'BAD_ARGS', message: 'The task is empty.', hint: 'Say what is to be found out or done.'});
}

const TASK_SHOWN = 200;

function beginning(text: string): string {
  return text.length <= TASK_SHOWN ? text : `${text.slice(0, TASK_SHOWN).toWellFormed()}…`;
}

/** Characters; all of it stands in the session of the child. */
const RESPONSE_KEPT = 32_000;

function clipped(text: string): string {
  return text.length <= RESPONSE_KEPT ? text : `${text.slice(0, RESPONSE_KEPT).toWellFormed()}\n[… cut]`;
}

/** Resolves at the latest after that time. */
async function within(ends: Promise<unknown>, timeoutMs: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => late.resolve(), timeoutMs);
  try {
    await Promise.race([ends, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
