import {type ChildEvents, createChildEvents, isShared} from '../../agent/delegation/child-events.ts';
import {createInputRecord, type InputRecord} from '../../agent/input-record.ts';
import {FettleError, isFettleError} from '../../base/errors.ts';
import type {ContextWindow} from '../../context/compaction/context-window.ts';
import {createSessionMemory, type SessionMemory} from '../../context/memory/session-memory.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {createHistory, type History} from '../../sessions/history.ts';
import {createSession, openSession, type Session} from '../../sessions/session-store.ts';
import {createEventBus} from '../plugins/event-bus.ts';
import {logPlugin} from '../plugins/log-plugin.ts';
import {inOrder} from '../plugins/plugin-order.ts';
import type {ThreadPlugin} from '../plugins/thread-plugin.ts';
import {addScopedInstructions, type ScopedInstructions} from '../settings/open-instructions.ts';
import type {ChildParts} from './subagents-options.ts';

/** Receives the events of a subagent, and knows facts from earlier ones. */
interface ChildEventSink extends OpenedLog {
  readonly memory: SessionMemory;
  readonly inputs: InputRecord;
  readonly scoped: ScopedInstructions;
  readonly sink: ChildEvents;
  readonly emit: (event: ThreadEvent) => void;
  /** Lets the events flow: into the log, the conversation and the memory, to the host, and to the thread. Returns the plugins in their order. */
  connect(contextWindow: Pick<ContextWindow, 'observe'>): readonly ThreadPlugin[];
}

/** Opens the log of a subagent, new or existing, and the projections of its events. */
export async function openEvents(parts: ChildParts): Promise<ChildEventSink> {
  const {options, order} = parts;
  const {delegation, instructions, dispatcher} = options;
  const bus = createEventBus();
  const memory = createSessionMemory(order.threadId);
  const inputs = createInputRecord();
  const scoped = addScopedInstructions({session: delegation.session, instructions, emit: bus.emit, history: () => history});
  const observers = [memory.observe, inputs.observe, scoped.observe];
  const {session, history} = await openLog(delegation.session.paths.stateDir, {...order, observers});
  const sink = eventsFor(parts);
  const connect: ChildEventSink['connect'] = (contextWindow) => {
    const plugins = inOrder({
      log: logPlugin(session, dispatcher.secrets),
      history: {name: 'history', onEvent: history.apply},
      instructions: {name: 'instructions', onEvent: scoped.observe, wrapRequest: scoped.around},
      contextWindow: {name: 'context window', onEvent: contextWindow.observe},
      memory: {name: 'memory', onRedactedEvent: memory.observe},
      host: {name: 'host', onRedactedEvent: hostOf(parts)},
      thread: {name: 'thread', onEvent: sink.take},
    });
    bus.connect(plugins, dispatcher.secrets);
    return plugins;
  };
  return {session, history, memory, inputs, sink, emit: bus.emit, scoped, connect};
}

function eventsFor({options: {emit, scope}, order}: ChildParts): ChildEvents {
  const {profile, onProgress = ignored, onRefused = ignored, isOver = never} = order;
  return createChildEvents({emit, turnId: scope.turnId, agent: profile.name, agentId: order.agentId, onProgress, onRefused, isOver});
}

function ignored(): void {
  // Nothing waits for it.
}

function never(): boolean {
  return false;
}

interface LogRequest {
  readonly threadId: string;
  readonly resumed: boolean;
  /** Observers of every earlier event. */
  readonly observers: readonly ((event: ThreadEvent) => void)[];
}

interface OpenedLog {
  readonly session: Session;
  readonly history: History;
}

async function openLog(stateDir: string, {threadId, resumed, observers}: LogRequest): Promise<OpenedLog> {
  if (!resumed) return {session: await createSession({stateDir, threadId}), history: createHistory()};
  const session = await openSession(stateDir, threadId, (event) => {
    for (const observe of observers) observe(event);
  }).catch((error: unknown) => {
    throw isFettleError(error) && error.code === 'NOT_FOUND' ? notBegun(error) : error;
  });
  return {session, history: session.history};
}

function notBegun(cause: FettleError): FettleError {
  const hint = 'Give the task to another one.';
  return new FettleError({code: 'NOT_FOUND', message: 'It has no log: it was cut off before it began, or deleted.', hint, cause});
}

/** Passes events on to the host of the thread, with the name of the subagent; events that the thread emits itself are not repeated. */
function hostOf({options: {emit, delegation}, order}: ChildParts): (event: ThreadEvent) => void {
  let isAsked = false;
  return (event) => {
    const asks = event.type === 'permission.requested';
    if (asks || (isAsked && event.type === 'permission.resolved')) {
      isAsked = asks;
      order.onWaiting?.(asks);
    }
    if (isShared(event) || order.isOver?.() === true) return;
    emit({type: 'agent.event', thread_id: delegation.threadId, agent_id: order.agentId, agent: order.profile.name, event});
  };
}
