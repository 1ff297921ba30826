import {join} from 'node:path';
import type {AnswerJudge} from '../agent/answer-schema.ts';
import {createThread, type RunResult, type Thread} from '../agent/thread.ts';
import {createToolCalls} from '../agent/tool-calls.ts';
import type {Limits} from '../agent/budget.ts';
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
import {createDispatcher} from '../tools/dispatcher.ts';
import type {DispatcherOptions} from '../tools/dispatch.ts';
import {toolSchemas} from '../tools/schema.ts';
import type {SessionSettings} from './load-settings.ts';
import {openTools} from './open-tools.ts';
import {VERSION} from './version.ts';

export interface OpenThreadOptions {
  readonly session: SessionSettings;
  /** Asks a person; without it nobody is there, and what would be asked is denied. */
  readonly approve?: DispatcherOptions['approve'];
  /** Every event, in order, also those that are not logged. Must not throw. */
  readonly onEvent?: (event: ThreadEvent) => void;
  /** A session to go on with: its id, or the newest of the folder. */
  readonly resume?: {readonly id: string} | 'latest' | undefined;
  /** JSON Schema that final answers must fit. */
  readonly outputSchema?: Json | undefined;
  /** Only the tools that change nothing. */
  readonly readOnly?: boolean | undefined;
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
  const [provider, tools, judge] = await Promise.all([
    openModel(options.session),
    openTools({session: options.session, spoolDir, readOnly: options.readOnly}),
    answerJudge(options.outputSchema),
  ]);
  const system = systemPrompt(
    {root: tools.workspace.root, platform: PLATFORM, date: new Date().toISOString().slice(0, 10)},
    await projectInstructions(tools.workspace, signal),
  );
  // Last, when nothing else can fail: a session is open for one writer and must be closed.
  const {session, history, notes} = await openHistory(options, threadId);
  const emit = eventSink(session, history, options.onEvent);
  const schemas = toolSchemas(tools.toolset);
  const calls = createToolCalls({
    emit,
    createDispatcher: (listener) => createDispatcher({...tools.dispatcher, approve: options.approve, listener}),
  });
  const thread = createThread({
    threadId: session.threadId,
    provider,
    limits: limitsOf(settings.limits),
    emit,
    now: () => performance.now(),
    request: () => ({
      system,
      messages: history.messages(),
      tools: schemas,
      cacheKey: session.threadId,
      outputSchema: options.outputSchema,
    }),
    runTools: calls.run,
    judgeAnswer: judge,
    started: {
      cwd: tools.workspace.root,
      model: provider.model,
      toolset: tools.toolset.name,
      fettle_version: VERSION,
      resumed: options.resume !== undefined,
    },
  });
  return {
    ...thread,
    grant: tools.grant,
    notes,
    sessionFile: session.file,
    async close(result) {
      thread.finish(result);
      await session.log.sync();
      session.log.close();
    },
  };
}

async function openModel({settings, providerSettings}: SessionSettings): Promise<Provider> {
  const {openProvider} = await import('../models/registry.ts');
  return await openProvider(settings.model ?? '', providerSettings);
}

interface OpenedHistory {
  readonly session: Session;
  readonly history: History;
  readonly notes: readonly string[];
}

function threadIdFor({resume, session: {paths, cwd}}: OpenThreadOptions): string {
  const {stateDir} = paths;
  if (resume === undefined) return newId('thr');
  return resume === 'latest' ? newestOf({stateDir, cwd}) : findSession(stateDir, resume.id).threadId;
}

async function openHistory({resume, session: {paths}}: OpenThreadOptions, threadId: string): Promise<OpenedHistory> {
  const {stateDir} = paths;
  if (resume === undefined) return {session: await createSession({stateDir, threadId}), history: createHistory(), notes: []};
  const session = await openSession(stateDir, threadId);
  return {session, history: session.history, notes: session.notes};
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

async function answerJudge(schema: Json | undefined): Promise<AnswerJudge> {
  if (schema === undefined) return () => undefined;
  const {judgeBySchema} = await import('../agent/answer-schema.ts');
  return judgeBySchema(schema);
}

/** The one way of an event: into the log, the conversation, to the host. What a host has shown is kept; a log that cannot be written fails the turn. */
function eventSink({log}: Session, history: History, onEvent: OpenThreadOptions['onEvent']): (event: ThreadEvent) => void {
  return (event) => {
    log.append(event);
    history.apply(event);
    onEvent?.(event);
  };
}

function limitsOf(limits: SessionSettings['settings']['limits']): Limits {
  return {
    maxTurns: limits.max_turns,
    maxTokens: limits.max_tokens,
    maxCostUsd: limits.max_cost_usd,
    maxTimeMs: limits.max_time_s * 1000,
  };
}
