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
  /** Accepts an order, and logs it in the child's log. Throws LIMIT. */
  add(kind: 'steer' | 'follow_up', text: string): void;
  /** Returns the number of orders that have not begun. */
  waiting(): number;
  /** Runs the waiting orders. */
  run(signal: AbortSignal): Promise<RunResult>;
  readonly said: readonly string[];
  /** Returns the number of calls that the subagent has made. */
  readonly calls: () => number;
  /** Ends the session, and releases everything it used. */
  close(result: RunResult | undefined): Promise<void>;
}

export interface ChildOrder {
  readonly agentId: string;
  readonly threadId: string;
  readonly profile: SubagentProfile;
  /** False: a new session is created. */
  readonly resumed: boolean;
  /** At most the limits of the profile. */
  readonly limits?: ChildThreadOptions['limits'];
  /** Called when the subagent begins or stops waiting for a person. */
  readonly onWaiting?: (waiting: boolean) => void;
  /** Called with a line for each step of the subagent. */
  readonly onProgress?: (line: string) => void;
  /** Called when a call of the subagent was refused. */
  readonly onRefused?: () => void;
  /** Returns true if the thread has gone on without the subagent, and gets no more events of it. */
  readonly isOver?: () => boolean;
}

export interface Order {
  /** The message; undefined: continue. */
  readonly text: string | undefined;
  readonly now: boolean;
  /** The tool call that gives the order. */
  readonly callId: string;
}

/** A subagent of this process: busy, or ready for a message. */
export interface LiveChild {
  tell(order: Order): Promise<void>;
  isBusy(): boolean;
  /** Resolves when the subagent is no longer busy. */
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
  /** The latest status of the subagent. */
  readonly entry: AgentStatusChanged;
  readonly profile: SubagentProfile;
  /** True if its session exists already. */
  readonly resumed: boolean;
}

type End = Partial<AgentStatusChanged> & {readonly status: AgentStatus};

/** The present state of a subagent. */
interface State {
  entry: AgentStatusChanged;
  hasSession: boolean;
  /** Set while the subagent takes orders. */
  opened: OpenedChild | undefined;
  /** Set while the subagent is busy. */
  work: Promise<void> | undefined;
  abort: AbortController;
  /** The reason why it was ended from outside. */
  stopped: string | undefined;
  refused: boolean;
}

/** Creates one subagent: its session is open while it is busy, and its slot is released however the work ends. */
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
        // The subagent has just ended, and its session is being closed.
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
  // If the log cannot be written, the next event of the thread itself ends the thread.
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

/** Runs until no order waits. When this resolves, the child takes no more orders. */
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
