import {join} from 'node:path';
import {createThread, type RunResult, type Thread} from '../agent/thread.ts';
import type {Limits} from '../agent/budget.ts';
import {createMeter} from '../agent/meter.ts';
import type {EndJudge} from '../agent/turn-end.ts';
import {FettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';
import type {Json} from '../base/json.ts';
import {projectInstructions} from '../context/instructions.ts';
import {systemPrompt} from '../context/system-prompt.ts';
import {PLATFORM} from '../exec/platform.ts';
import type {Provider} from '../models/provider.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import {createHistory, type History} from '../sessions/history.ts';
import {createSession, openSession, type Session} from '../sessions/session-store.ts';
import {findSession} from '../sessions/session-files.ts';
import {latestSession} from '../sessions/session-list.ts';
import {advertisedTools} from '../tools/advertised-tools.ts';
import type {DispatcherOptions} from '../tools/dispatch.ts';
import type {EditorHost} from '../tools/editor-host.ts';
import {toolSchemas} from '../tools/schema.ts';
import type {Todo} from '../tools/todo-list.ts';
import type {AskUser} from '../tools/user-questions.ts';
import {addServers, type ServedTools} from './add-servers.ts';
import type {SessionSettings} from './load-settings.ts';
import {openCalls} from './open-calls.ts';
import {openTools, type OpenedTools, type ToolsOptions} from './open-tools.ts';
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
  /** Options of tools for this session, by the name of the tool: above `[tools.<name>]`. */
  readonly toolOptions?: ToolsOptions['toolOptions'];
}

/** A thread with everything it needs. `close` must be called: it ends the session log. */
export interface OpenedThread extends Thread {
  /** Adds an allow rule for the rest of the session. */
  grant(rule: string): void;
  readonly notes: readonly string[];
  /** The file of the session log. */
  readonly sessionFile: string;
  close(result?: RunResult): Promise<void>;
}

/** Opens a new or an earlier conversation. Throws CONFIG, NOT_FOUND (no such session), UNAVAILABLE (another process writes it). */
export async function openThread(options: OpenThreadOptions, signal: AbortSignal): Promise<OpenedThread> {
  const {settings, paths} = options.session;
  const threadId = threadIdFor(options);
  const spoolDir = join(paths.stateDir, 'spool', threadId);
  const [provider, opened, endJudges] = await Promise.all([
    openModel(options.session),
    openTools({session: options.session, spoolDir, readOnly: options.readOnly, editor: options.editor, toolOptions: options.toolOptions}),
    judgesOf(options),
  ]);
  const system = systemPrompt(
    {root: opened.workspace.root, platform: PLATFORM, date: new Date().toISOString().slice(0, 10)},
    await projectInstructions(opened.workspace, signal),
  );
  // Last, when nothing else can fail: a session is open for one writer and must be closed.
  const {session, history, todos, notes} = await openHistory(options, threadId);
  const tools = await serve(opened, options, signal);
  const emit = eventSink(session, history, options.onEvent);
  const {approve, askUser} = options;
  const audience = {model: settings.model ?? '', compositeTools: settings.composite_tools_enabled, hasPerson: askUser !== undefined};
  const schemas = toolSchemas({tools: advertisedTools(tools.toolset, audience)});
  const meter = createMeter({limits: limitsOf(settings.limits), now});
  const dispatcher = {...tools.dispatcher, approve};
  const calls = openCalls({provider, folder: tools.workspace.root, meter, now, emit, dispatcher, askUser, todos});
  const thread = createThread({
    threadId: session.threadId,
    provider,
    meter,
    emit,
    now,
    request: async () => ({
      system,
      messages: history.messages(),
      tools: schemas,
      cacheKey: session.threadId,
      outputSchema: options.outputSchema,
    }),
    runTools: calls.run,
    endJudges,
    started: {...startedIn(tools), model: provider.model, resumed: options.resume !== undefined},
  });
  return {
    ...thread,
    grant: tools.grant,
    notes: [...notes, ...tools.notices],
    sessionFile: session.file,
    async close(result) {
      thread.finish(result);
      await Promise.all([tools.close(), tools.endJobs()]);
      await session.log.sync();
      session.log.close();
    },
  };
}

function startedIn({workspace, toolset}: OpenedTools): {cwd: string; toolset: string; fettle_version: string} {
  return {cwd: workspace.root, toolset: toolset.name, fettle_version: VERSION};
}

/** With the tools of the MCP servers, which may change something: not where only reads are wanted. */
async function serve(tools: OpenedTools, {session, readOnly}: OpenThreadOptions, signal: AbortSignal): Promise<ServedTools> {
  if (readOnly === true) return {...tools, close: async () => undefined};
  return await addServers(tools, session, signal);
}

async function openModel({settings, providerSettings}: SessionSettings): Promise<Provider> {
  const {openProvider} = await import('../models/registry.ts');
  return await openProvider(settings.model ?? '', providerSettings);
}

interface OpenedHistory {
  readonly session: Session;
  readonly history: History;
  readonly todos: readonly Todo[];
  readonly notes: readonly string[];
}

function threadIdFor({resume, session: {paths, cwd}}: OpenThreadOptions): string {
  const {stateDir} = paths;
  if (resume === undefined) return newId('thr');
  return resume === 'latest' ? newestOf({stateDir, cwd}) : findSession(stateDir, resume.id).threadId;
}

async function openHistory({resume, session: {paths}}: OpenThreadOptions, threadId: string): Promise<OpenedHistory> {
  const {stateDir} = paths;
  if (resume === undefined) return {session: await createSession({stateDir, threadId}), history: createHistory(), todos: [], notes: []};
  const session = await openSession(stateDir, threadId);
  return {session, history: session.history, todos: session.todos, notes: session.notes};
}

function newestOf(place: {stateDir: string; cwd: string}): string {
  const newest = latestSession(place);
  if (newest !== undefined) return newest.threadId;
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `There is no session of ${place.cwd}.`,
    hint: '`fettle sessions list --all` shows those of other folders.',
  });
}

/** Who has to accept a final answer. */
async function judgesOf({outputSchema}: OpenThreadOptions): Promise<readonly EndJudge[]> {
  if (outputSchema === undefined) return [];
  const {answerSchemaJudge} = await import('../agent/answer-schema.ts');
  return [answerSchemaJudge(outputSchema)];
}

/** The one way of an event: into the log, the conversation, to the host. What a host has shown is kept; a log that cannot be written fails the turn. */
function eventSink({log}: Session, history: History, onEvent: OpenThreadOptions['onEvent']): (event: ThreadEvent) => void {
  return (event) => {
    log.append(event);
    history.apply(event);
    onEvent?.(event);
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
