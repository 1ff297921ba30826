import {join} from 'node:path';
import {createThread, type RunResult, type Thread} from '../agent/thread.ts';
import type {Limits} from '../agent/budget.ts';
import {createMeter} from '../agent/meter.ts';
import type {EndJudge} from '../agent/turn-end.ts';
import {systemErrorCode} from '../base/errors.ts';
import {createRedactor} from '../base/redact.ts';
import type {Json} from '../base/json.ts';
import type {CompactionReport} from '../context/compaction/context-keeper.ts';
import {createSessionMemory, type SessionMemory} from '../context/memory/session-memory.ts';
import type {Provider} from '../models/provider.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import type {Session} from '../sessions/session-store.ts';
import type {KeptCommand} from '../tools/command-sessions.ts';
import type {DispatcherOptions} from '../tools/dispatch.ts';
import type {Middleware} from '../tools/custom/define-middleware.ts';
import type {EditorHost} from '../tools/editor-host.ts';
import type {AskUser} from '../tools/user-questions.ts';
import {addServers, withoutServers, type ServedTools} from './add-servers.ts';
import {keepChanges} from './checkpoint-calls.ts';
import type {RestoreHost, RestoreReport, RestoreRequest} from './checkpoints.ts';
import type {SessionSettings} from './load-settings.ts';
import {openCalls} from './open-calls.ts';
import {openCommands, type TypedCommands} from './open-commands.ts';
import {openContext} from './open-context.ts';
import {openDelegation} from './open-delegation.ts';
import {harnessParts, openHarness} from './open-harness.ts';
import {sessionHooks} from './open-hooks.ts';
import {openHistory, threadIdFor} from './open-history.ts';
import {giveInstructions, sessionInstructions} from './open-instructions.ts';
import {createEventRedactor} from './redacted-events.ts';
import {openTools, type OpenedTools, type ToolsOptions} from './open-tools.ts';
import {openTraces} from './open-traces.ts';
import {threadFrame} from './thread-frame.ts';
import {VERSION} from './version.ts';

export interface OpenThreadOptions {
  readonly session: SessionSettings;
  /** Asks a person; without it nobody is there, and what would be asked is denied. */
  readonly approve?: DispatcherOptions['approve'];
  /** Puts questions of the model to a person; without it the model is told that nobody is there. */
  readonly askUser?: AskUser | undefined;
  /** The editor of a front end; without it the editor tools have one in memory. */
  readonly editor?: EditorHost | undefined;
  /** Every event, in order, also those that are not logged. Must not throw. */
  readonly onEvent?: (event: ThreadEvent) => void;
  /** A session to go on with: its id, or the newest of the folder. */
  readonly resume?: {readonly id: string} | 'latest' | undefined;
  /** JSON Schema that final answers must fit. */
  readonly outputSchema?: Json | undefined;
  /** Only the tools that change nothing. */
  readonly readOnly?: boolean | undefined;
  /** Commands that must have exited with 0 in the end, else the run is no success. The person named them: they are not asked about. */
  readonly verify?: readonly string[] | undefined;
  /** Code around calls of tools, behind that of files: see `defineMiddleware`. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** Options of tools for this session, by the name of the tool: above `[tools.<name>]`. */
  readonly toolOptions?: ToolsOptions['toolOptions'];
  /** Names of commands of the host: no custom command and no skill takes their place. */
  readonly reservedCommands?: readonly string[] | undefined;
}

/** A thread with everything it needs. `close` must be called: it ends the session log. */
export interface OpenedThread extends Thread {
  /** Adds an allow rule for the rest of the session. */
  grant(rule: string): void;
  /** Shortens the conversation now; between turns only. */
  compact(instructions: string | undefined, signal: AbortSignal): Promise<CompactionReport>;
  readonly notes: readonly string[];
  /** Brings back how things were before a turn of this thread; between turns only. See `restoreTo`. */
  restore(request: RestoreRequest): Promise<RestoreReport>;
  /** What can be typed behind a slash: custom commands, skills, prompts of MCP servers. */
  readonly commands: TypedCommands;
  /** The file of the session log. */
  readonly sessionFile: string;
  /** What a person should know that came up since; complete when it is closed. */
  lateNotes(): readonly string[];
  /** Returns the commands that go on without it. */
  close(result?: RunResult): Promise<readonly KeptCommand[]>;
}

/** Opens a new or an earlier conversation. Throws CONFIG, NOT_FOUND (no such session), UNAVAILABLE (another process writes it). */
export async function openThread(options: OpenThreadOptions, signal: AbortSignal): Promise<OpenedThread> {
  const {settings, paths} = options.session;
  const threadId = threadIdFor(options);
  const spoolDir = join(paths.stateDir, 'spool', threadId);
  const [provider, opened, endJudges, instructions, delegation, loadedHooks, traces] = await Promise.all([
    openModel(options.session),
    openTools({
      session: options.session,
      spoolDir,
      readOnly: options.readOnly,
      editor: options.editor,
      threadId,
      toolOptions: options.toolOptions,
    }),
    judgesOf(options),
    sessionInstructions(options.session),
    openDelegation(options.session, threadId),
    sessionHooks(options.session, options.middleware),
    openTraces(options.session),
  ]);
  // Last, when nothing else can fail: a session is open for one writer and must be closed.
  const memory = createSessionMemory(threadId);
  const given = giveInstructions({session: options.session, instructions, emit: (event) => emit(event), history: () => history});
  const {session, history, todos, notes} = await openHistory(options, threadId, [memory.observe, given.observe, delegation.observe]);
  const tools = await serve(opened, options, signal);
  const checkpoints = keepChanges(options.session, threadId, tools);
  const takers = {
    inside: [
      history.apply,
      given.observe,
      delegation.observe,
      (event: ThreadEvent) => keeper.observe(event),
      (event: ThreadEvent) => harness.observe(event),
      (event: ThreadEvent) => calls.observe(event),
      (event: ThreadEvent) => hooks.observe(event),
    ],
    outside: [memory.observe, traces.observe, options.onEvent ?? ignored],
  };
  const emit = delegation.findings.around(checkpoints.around(eventSink(session, takers, tools.dispatcher.secrets)));
  const hooks = loadedHooks.start({tools, threadId, sessionFile: session.file, resumed: options.resume !== undefined, emit});
  const meter = createMeter({limits: limitsOf(settings.limits), now});
  const context = {...tools.dispatcher.context, recall: recallFrom(session.file)};
  const approve = hooks.aroundApproval(options.approve);
  const dispatcher = {...tools.dispatcher, ...hooks.stages, context, approve, checkpoint: checkpoints.checkpoint};
  const harness = openHarness({
    ...harnessParts(options, threadId, tools),
    todos,
    memory,
    dispatcher,
    emit,
    provider,
    meter,
    sessionFile: session.file,
  });
  const askUser = hooks.aroundQuestions(options.askUser);
  const folder = tools.workspace.root;
  const {aroundAgents} = hooks;
  const calls = openCalls({
    aroundAgents,
    delegation,
    provider,
    folder,
    meter,
    now,
    emit,
    dispatcher,
    askUser,
    todos,
    onSubjects: given.touch,
  });
  const frame = threadFrame({...options, instructions, agentWords: delegation.words}, tools, threadId);
  const keeper = openContext({settings, threadId, provider, history, memory, meter, emit, frame, gate: hooks.gate});
  const thread = createThread({
    threadId: session.threadId,
    provider,
    meter,
    emit,
    now,
    request: harness.around(given.around(keeper.request)),
    makeRoom: keeper.makeRoom,
    runTools: hooks.aroundTools(calls.run),
    judgePrompt: hooks.judgePrompt,
    endJudges: [...(options.approve === undefined ? [delegation.judge] : []), ...endJudges, ...hooks.judges, ...harness.judges],
    report: harness.report,
    inputs: delegation.inputs,
    started: {...startedIn(tools), model: provider.model, resumed: options.resume !== undefined},
  });
  const lateNotes: string[] = [];
  return {
    ...thread,
    lateNotes: () => lateNotes,
    async run(prompt, stop) {
      const result = await thread.run(prompt, stop);
      await harness.ended(result);
      return result;
    },
    grant: tools.grant,
    compact: (instructions, stop) => keeper.compact({trigger: 'manual', instructions}, stop),
    notes: [...notes, ...tools.notices, ...instructions.notices, ...delegation.notices, ...loadedHooks.notices, ...traces.notices],
    restore: (request) => restoreIn(options.session, request, {own: threadId, emit, reaches: history.reaches}),
    commands: openCommands({...tools, session: options.session, reserved: options.reservedCommands}),
    sessionFile: session.file,
    async close(result) {
      await delegation.end();
      await hooks.end(result);
      thread.finish(result);
      const [kept, , late] = await Promise.all([tools.endJobs(), tools.close(), traces.close()]);
      lateNotes.push(...late);
      await session.log.sync();
      session.log.close();
      await keepMemory(session.file, memory);
      return kept;
    },
  };
}

async function restoreIn(session: SessionSettings, request: RestoreRequest, host: RestoreHost): Promise<RestoreReport> {
  const {restoreTo} = await import('./checkpoints.ts');
  return await restoreTo(session, request, host);
}

function startedIn({workspace, toolset}: OpenedTools): {cwd: string; toolset: string; fettle_version: string} {
  return {cwd: workspace.root, toolset: toolset.name, fettle_version: VERSION};
}

/** With the tools of the MCP servers, which may change something: not where only reads are wanted. */
async function serve(tools: OpenedTools, {session, readOnly, askUser}: OpenThreadOptions, signal: AbortSignal): Promise<ServedTools> {
  return readOnly === true ? withoutServers(tools) : await addServers(tools, session, {signal, askUser});
}

async function openModel({settings, providerSettings}: SessionSettings): Promise<Provider> {
  const {openProvider} = await import('../models/registry.ts');
  return await openProvider(settings.model ?? '', providerSettings);
}

/** Who has to accept a final answer. */
async function judgesOf({outputSchema}: OpenThreadOptions): Promise<readonly EndJudge[]> {
  if (outputSchema === undefined) return [];
  const {answerSchemaJudge} = await import('../agent/answer-schema.ts');
  return [answerSchemaJudge(outputSchema)];
}

interface Takers {
  /** What the model works with. */
  readonly inside: readonly ((event: ThreadEvent) => void)[];
  /** What is kept or passed on. */
  readonly outside: readonly ((event: ThreadEvent) => void)[];
}

/**
 * The one way of an event: into the log, the conversation and the memory, to the host. What a host has shown is kept; a log that cannot be
 * written fails the turn. Secrets stay in the conversation alone; a session that is resumed goes on without them.
 */
function eventSink({log}: Session, {inside, outside}: Takers, secrets: readonly string[] | undefined): (event: ThreadEvent) => void {
  const redacted = createEventRedactor(createRedactor({secrets, shapes: true}));
  return (event) => {
    const clean = redacted(event);
    for (const one of clean) log.append(one);
    for (const take of inside) take(event);
    for (const one of clean) for (const take of outside) take(one);
  };
}

function ignored(): void {
  // A host that wants no events.
}

/** For people and other programs; the log has all of it, so a disk that is full does not spoil the end. */
async function keepMemory(file: string, memory: SessionMemory): Promise<void> {
  const {saveMemory} = await import('../context/memory/memory-file.ts');
  try {
    saveMemory(file, memory.envelope());
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/** Loaded when something is recalled. */
function recallFrom(file: string): (from: number, to: number) => Promise<readonly string[]> {
  return async (from, to) => {
    const {recallItems, itemText} = await import('../sessions/recall-items.ts');
    return (await recallItems(file, {from, to})).map(itemText);
  };
}

function now(): number {
  return performance.now();
}

function limitsOf(limits: SessionSettings['settings']['limits']): Limits {
  return {
    maxTurns: limits.max_turns,
    maxTokens: limits.max_tokens,
    maxCostUsd: limits.max_cost_usd,
    maxTimeMs: limits.max_time_s * 1000,
  };
}
