import {toFettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import type {AgentStatusChanged, ThreadEvent} from '../../protocol/events.ts';
import type {AgentStatus} from '../../tools/ports/agent-runner.ts';
import {createOneAtATime} from '../../tools/mutex.ts';
import type {RunResult} from '../thread.ts';
import type {ChildThreadOptions} from './child-thread.ts';
import type {SubagentProfile} from './profile.ts';
import type {Slots} from './slots.ts';
import {beginning, clippedResponse, responseOf} from './response.ts';

/** A subagent whose session is open. */
export interface OpenedChild {
  /** Accepts an order: it is in the log of the child from then on. Throws LIMIT. */
  add(kind: 'steer' | 'follow_up', text: string): void;
  /** Orders that are not yet begun. */
  waiting(): number;
  /** Does the orders that wait. */
  run(signal: AbortSignal): Promise<RunResult>;
  readonly said: readonly string[];
  /** Number of calls it has made. */
  readonly calls: () => number;
  /** Ends the session, and everything that it used. */
  close(result: RunResult | undefined): Promise<void>;
}

export interface ChildOrder {
  readonly agentId: string;
  readonly threadId: string;
  readonly profile: SubagentProfile;
  /** False: its session is made. */
  readonly resumed: boolean;
  /** Below those of the profile. */
  readonly limits?: ChildThreadOptions['limits'];
  /** Told when it begins and ends to wait for a person. */
  readonly onWaiting?: (waiting: boolean) => void;
  /** One line for each thing that it did. */
  readonly onProgress?: (line: string) => void;
  /** A call of it was refused. */
  readonly onRefused?: () => void;
  /** True: the thread has gone on without it, and hears no more of it. */
  readonly isOver?: () => boolean;
}

export interface Order {
  /** undefined: go on. */
  readonly text: string | undefined;
  readonly now: boolean;
  /** The tool call that gives it. */
  readonly callId: string;
}

/** A subagent of this process: busy, or ready for a message. */
export interface LiveChild {
  tell(order: Order): Promise<void>;
  isBusy(): boolean;
  /** Resolves when it is not busy. */
  ended(): Promise<void>;
  stop(why: string): Promise<void>;
  /** Returns true if one of its calls was denied without notifying anybody, and resets that. */
  takeRefusal(): boolean;
}

export interface LiveChildOptions {
  readonly slots: Slots;
  readonly emit: (event: ThreadEvent) => void;
  readonly open: (order: ChildOrder) => Promise<OpenedChild>;
}

export interface ChildFacts {
  /** The newest word on it. */
  readonly entry: AgentStatusChanged;
  readonly profile: SubagentProfile;
  /** Its session is there already. */
  readonly resumed: boolean;
}

type End = Partial<AgentStatusChanged> & {readonly status: AgentStatus};

/** The present state of a subagent. */
interface State {
  entry: AgentStatusChanged;
  hasSession: boolean;
  /** While it takes orders. */
  opened: OpenedChild | undefined;
  /** While it is busy. */
  work: Promise<void> | undefined;
  abort: AbortController;
  /** Why it was ended from outside. */
  stopped: string | undefined;
  refused: boolean;
}

/** One subagent: its session is open while it is busy, and its place is free again however that ends. */
export function createLiveChild(options: LiveChildOptions, {entry, profile, resumed}: ChildFacts): LiveChild {
  const oneByOne = createOneAtATime();
  const state: State = {
    entry,
    hasSession: resumed,
    opened: undefined,
    work: undefined,
    abort: new AbortController(),
    stopped: undefined,
    refused: false,
  };
  return {
    isBusy: () => state.work !== undefined,
    ended: async () => await state.work,
    tell: async (order) =>
      await oneByOne(async () => {
        const {text, now} = order;
        if (state.opened !== undefined) {
          if (text !== undefined) state.opened.add(now ? 'steer' : 'follow_up', text);
          return;
        }
        // It has just ended, and its session is being closed.
        await state.work;
        await begin(options, {state, profile}, order);
      }),
    stop: async (why) =>
      await oneByOne(async () => {
        if (state.work === undefined) return;
        state.stopped = why;
        state.abort.abort();
        await state.work;
      }),
    takeRefusal() {
      const before = state.refused;
      state.refused = false;
      return before;
    },
  };
}

interface Living {
  readonly state: State;
  readonly profile: SubagentProfile;
}

async function begin(options: LiveChildOptions, {state, profile}: Living, {text, callId}: Order): Promise<void> {
  state.stopped = undefined;
  state.abort = new AbortController();
  const onWaiting = (waiting: boolean): void => put(options, state, {status: waiting ? 'waiting' : 'running'});
  const {agent_id: agentId, child_thread_id: threadId} = state.entry;
  const child = await options.open({agentId, threadId, profile, resumed: state.hasSession, onWaiting});
  state.hasSession = true;
  try {
    if (text !== undefined) child.add('follow_up', text);
    else if (child.waiting() === 0) child.add('follow_up', GO_ON);
    state.opened = child;
    put(options, state, {status: 'queued', run_id: newId('run'), task: beginning(text ?? state.entry.task), tool_call_id: callId});
  } catch (error) {
    state.opened = undefined;
    await child.close(undefined);
    throw error;
  }
  // A log that cannot be written ends the thread by its own next event.
  state.work = work(options, state, child).catch(() => undefined);
}

const GO_ON = 'Your work was cut off. Look at what is done already, then go on with it.';

async function work(options: LiveChildOptions, state: State, child: OpenedChild): Promise<void> {
  let end: End;
  let result: RunResult | undefined;
  try {
    result = await options.slots.run(() => runOrders(options, state, child), state.abort.signal);
    end = endOf(result, child.said);
    state.refused ||= result.outcome === 'denied';
  } catch (error) {
    end = {status: 'failed', message: toFettleError(error).message};
  }
  state.opened = undefined;
  try {
    await child.close(result);
  } catch (error) {
    end = {...end, status: 'failed', message: toFettleError(error).message};
  }
  if (state.stopped !== undefined) end = {...end, status: 'closed', message: state.stopped};
  state.work = undefined;
  put(options, state, end);
}

/** Until no order waits. When it resolves, the child takes none any more. */
async function runOrders(options: LiveChildOptions, state: State, child: OpenedChild): Promise<RunResult> {
  put(options, state, {status: 'running'});
  for (;;) {
    const result = await child.run(state.abort.signal);
    if (!state.abort.signal.aborted && isAnswer(result) && child.waiting() > 0) continue;
    state.opened = undefined;
    return result;
  }
}

function put({emit}: LiveChildOptions, state: State, change: End): void {
  state.entry = {...state.entry, message: undefined, response: undefined, ...change};
  emit(state.entry);
}

function endOf(result: RunResult, said: readonly string[]): Pick<AgentStatusChanged, 'status' | 'message' | 'response'> {
  const response = clippedResponse(responseOf(result, said));
  return isAnswer(result)
    ? {status: 'completed', message: result.message, response}
    : {status: 'failed', message: result.message ?? result.outcome, response};
}

function isAnswer({outcome}: RunResult): boolean {
  return outcome === 'success' || outcome === 'denied';
}
