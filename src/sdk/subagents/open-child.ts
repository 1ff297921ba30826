import {join} from 'node:path';
import {createChildEvents, isShared, type ChildEvents} from '../../agent/delegation/child-events.ts';
import {createChildThread, type SubagentTools} from '../../agent/delegation/child-thread.ts';
import type {ChildOrder, OpenedChild} from '../../agent/delegation/live-child.ts';
import {createInputRecord, type InputRecord} from '../../agent/input-record.ts';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {createRedactor} from '../../base/redact.ts';
import {instructionWords} from '../../context/instructions/instruction-words.ts';
import {createSessionMemory, type SessionMemory} from '../../context/memory/session-memory.ts';
import type {Provider} from '../../models/provider.ts';
import type {Subject} from '../../policy/decision.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {createHistory, type History} from '../../sessions/history.ts';
import {createSession, openSession, type Session} from '../../sessions/session-store.ts';
import {keepFrames} from '../thread/keep-frames.ts';
import {windowOf} from '../model/model-window.ts';
import {openContext} from '../thread/open-context.ts';
import {giveInstructions, type GivenInstructions} from '../settings/open-instructions.ts';
import {providerFor, subagentTools, type OwnTools, type SubagentsOptions} from './open-subagents.ts';
import {createEventRedactor} from '../sessions/redacted-events.ts';
import {recallFrom} from '../sessions/session-recall.ts';
import {VERSION} from '../version.ts';
import type {Worktree} from './worktree.ts';

/**
 * Opens the session of a subagent, new or from before: a log of its own, the tools of its profile on the folder of its thread or on a copy of
 * the repository, the budget and the person of its thread. Throws what keeps it from working; nothing stays open then.
 */
export async function openChild(options: SubagentsOptions, order: ChildOrder): Promise<OpenedChild> {
  const provider = await providerFor(order.profile, options);
  const own = {...options, dispatcher: {...options.dispatcher, approve: askedBy(order.agentId, options.dispatcher.approve)}};
  const place = await openPlace(own, order, provider);
  try {
    return await openIn(place, {options: own, order, provider});
  } catch (error) {
    await place.close();
    throw error;
  }
}

/** A person is told which subagent asks. */
function askedBy(agent: string, approve: DispatcherOptions['approve']): DispatcherOptions['approve'] {
  return approve === undefined ? undefined : (request, signal) => approve({...request, agent}, signal);
}

interface Place {
  readonly folder: string;
  readonly tools: OwnTools;
  /** The same of the project: a copy has the instructions of what it is a copy of. */
  inProject(subject: Subject): Subject;
  close(): Promise<void>;
}

async function openPlace(options: SubagentsOptions, {profile, threadId}: ChildOrder, provider: Provider): Promise<Place> {
  const {dispatcher, folder, delegation} = options;
  if (profile.isolation === undefined) {
    const tools = await subagentTools(profile, provider, dispatcher);
    return {folder, tools, inProject: (subject) => subject, close: async () => undefined};
  }
  const {openWorktree} = await import('./worktree.ts');
  const worktree = await openWorktree(delegation.session, {folder, childThreadId: threadId});
  try {
    return await placeIn(worktree, {options, profile, provider, threadId});
  } catch (error) {
    await worktree.close();
    throw error;
  }
}

/** Tools of its own on the copy; rules, person and hooks are those of the thread. What it changes there is not undone, but merged or not. */
async function placeIn(
  worktree: Worktree,
  {
    options: {dispatcher, delegation},
    profile,
    provider,
    threadId,
  }: {options: SubagentsOptions; provider: Provider} & Pick<ChildOrder, 'profile' | 'threadId'>,
): Promise<Place> {
  const {openTools} = await import('../tools/open-tools.ts');
  const {session, toolOptions} = delegation;
  const spoolDir = join(session.paths.stateDir, 'spool', threadId);
  const opened = await openTools({session: {...session, cwd: worktree.folder}, spoolDir, toolOptions});
  const own = {...dispatcher, toolset: opened.toolset, context: opened.dispatcher.context, spoolDir, checkpoint: undefined};
  return {
    folder: opened.workspace.root,
    tools: await subagentTools(profile, provider, own),
    inProject: (subject) => (subject.kind === 'path' ? {...subject, path: worktree.original(subject.path)} : subject),
    async close() {
      await opened.endJobs();
      await worktree.close();
    },
  };
}

/** What it is shown shortened, it finds in its own log. */
function withRecall(tools: OwnTools, sessionFile: string): SubagentTools {
  return {...tools, createDispatcher: (listener) => tools.createDispatcher(listener, {recall: recallFrom(sessionFile)})};
}

interface ChildParts {
  readonly options: SubagentsOptions;
  readonly order: ChildOrder;
  readonly provider: Provider;
}

async function openIn(place: Place, parts: ChildParts): Promise<OpenedChild> {
  const {options, order, provider} = parts;
  const {delegation, instructions, meter, now} = options;
  const {threadId, profile, resumed} = order;
  const {settings} = delegation.session;
  // A profile may have a model of its own.
  const ownSettings = {...settings, model: profile.model ?? settings.model};
  const session = {...delegation.session, window: await windowOf(ownSettings.model ?? '', delegation.session)};
  const events = await openEvents(parts);
  const {history, memory, inputs, given, told, emit} = events;
  const thread = createChildThread({
    threadId,
    profile,
    provider,
    folder: place.folder,
    instructions: instructionWords(instructions),
    meter,
    now,
    limits: order.limits,
    tools: withRecall(place.tools, events.session.file),
    onSubjects: (subjects) => given.touch(subjects.map(place.inProject)),
    emit,
    keep({frame, meter: own}) {
      const keeper = openContext({
        session,
        settings: ownSettings,
        threadId,
        sessionFile: events.session.file,
        toolset: place.tools.toolset,
        provider,
        history,
        memory,
        meter: own,
        emit,
        frame,
      });
      events.late.observe = keeper.observe;
      return {request: keepFrames(events.session, options.dispatcher.secrets, given.around(keeper.request)), makeRoom: keeper.makeRoom};
    },
    inputs,
    openAttempt: delegation.requests.of(order.agentId),
    started: {toolset: settings.toolset, fettle_version: VERSION, resumed, parent_thread_id: delegation.threadId},
  });
  return {
    add: (kind, text) => void (kind === 'steer' ? thread.steer(text) : thread.followUp(text)),
    waiting: thread.waiting,
    run: async (signal) => await thread.run(undefined, signal),
    said: told.said,
    calls: () => told.calls,
    async close(result) {
      try {
        if (result !== undefined) thread.finish(result);
        await events.session.log.sync();
      } finally {
        events.session.log.close();
        await place.close();
      }
    },
  };
}

/** Where the events of a subagent go, and what is known from the earlier ones. */
interface ChildEventSink extends OpenedLog {
  readonly memory: SessionMemory;
  readonly inputs: InputRecord;
  readonly given: GivenInstructions;
  readonly told: ChildEvents;
  readonly emit: (event: ThreadEvent) => void;
  /** Whoever keeps the conversation within the window sees the events, too; connected when there is one. */
  readonly late: {observe: (event: ThreadEvent) => void};
}

/** Into its log, its conversation and its memory, to the host, and to the thread: what was shown is kept. */
async function openEvents(parts: ChildParts): Promise<ChildEventSink> {
  const {options, order} = parts;
  const {delegation, instructions, dispatcher} = options;
  const memory = createSessionMemory(order.threadId);
  const inputs = createInputRecord();
  const given = giveInstructions({session: delegation.session, instructions, emit: (event) => emit(event), history: () => history});
  const observers = [memory.observe, inputs.observe, given.observe];
  const {session, history} = await openLog(delegation.session.paths.stateDir, {...order, observers});
  const told = eventsFor(parts);
  const tellHost = hostOf(parts);
  const late: ChildEventSink['late'] = {observe: ignored};
  const redacted = createEventRedactor(createRedactor({secrets: dispatcher.secrets, shapes: true}));
  const emit = (event: ThreadEvent): void => {
    const clean = redacted(event);
    for (const one of clean) session.log.append(one);
    history.apply(event);
    given.observe(event);
    late.observe(event);
    for (const one of clean) {
      memory.observe(one);
      tellHost(one);
    }
    told.take(event);
  };
  return {session, history, memory, inputs, given, told, emit, late};
}

function eventsFor({options: {emit, scope}, order}: ChildParts): ChildEvents {
  const {profile, onProgress = ignored, onRefused = ignored, isOver = never} = order;
  return createChildEvents({emit, turnId: scope.turnId, agent: profile.name, agentId: order.agentId, onProgress, onRefused, isOver});
}

function ignored(): void {
  // Nobody waits for it.
}

function never(): boolean {
  return false;
}

interface LogRequest {
  readonly threadId: string;
  readonly resumed: boolean;
  /** They see every earlier event. */
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
  return new FettleError({code: 'NOT_FOUND', message: 'There is no log of it: it was cut off before it began, or deleted.', hint, cause});
}

/** Passes events on to the host of the thread, with the name of the subagent; what the thread tells itself is not told twice. */
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
