import type {EndJudge} from '../../agent/turn-end.ts';
import {createSessionMemory, type SessionMemory} from '../../context/memory/session-memory.ts';
import type {Provider} from '../../models/provider.ts';
import {spoolFolder} from '../../sessions/session-files.ts';
import {addServers, withoutServers, type ServedTools} from '../tools/add-servers.ts';
import {openDelegation, type Delegation} from '../subagents/open-delegation.ts';
import {createEventBus, type EventBus} from '../plugins/event-bus.ts';
import {createModeRecord} from './mode-record.ts';
import {openThreadHistory, threadIdFor, type OpenedHistory} from './open-history.ts';
import {sessionHooks} from '../hooks/open-hooks.ts';
import type {SessionHooks} from '../hooks/thread-hooks.ts';
import {addScopedInstructions, sessionInstructions, type ScopedInstructions} from '../settings/open-instructions.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {openTools} from '../tools/open-tools.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';
import {openTraces} from '../traces/open-traces.ts';
import type {Traces} from '../traces/start-traces.ts';
import type {OpenThreadOptions} from './thread-options.ts';

/** The opened parts of a thread. */
export interface ThreadParts extends OpenedHistory {
  readonly threadId: string;
  readonly provider: Provider;
  readonly tools: ServedTools;
  /** Checks a final answer before hooks and verification do. */
  readonly answerSchema: EndJudge | undefined;
  readonly instructions: Awaited<ReturnType<typeof sessionInstructions>>;
  readonly scoped: ScopedInstructions;
  readonly delegation: Delegation;
  readonly hooks: SessionHooks;
  readonly traces: Traces;
  readonly memory: SessionMemory;
  /** Created before all other parts; plugins are connected later. */
  readonly bus: EventBus;
}

/** Opens the parts of a thread. Throws CONFIG, NOT_FOUND (no such session), UNAVAILABLE (another process writes it). */
export async function openParts(options: OpenThreadOptions, signal: AbortSignal): Promise<ThreadParts> {
  const {session} = options;
  const bus = createEventBus();
  const threadId = threadIdFor(options);
  const [provider, opened, answerSchema, instructions, delegation, hooks, traces] = await Promise.all([
    options.provider === undefined ? openModel(session) : ownModel(options.provider),
    openThreadTools(options, threadId),
    answerJudge(options),
    sessionInstructions(session),
    openDelegation(session, threadId, options),
    sessionHooks(session, options.middleware),
    openTraces(session),
  ]);
  const memory = createSessionMemory(threadId);
  const scoped = addScopedInstructions({session, instructions, emit: bus.emit, history: () => history.history});
  // Opened last, when nothing else can fail: a session is open for one writer and must be closed.
  const modes = createModeRecord();
  const history = await openThreadHistory(options, threadId, [memory.observe, scoped.observe, delegation.observe, modes.observe]);
  modes.restore(opened.dispatcher.context.modes, session);
  const tools = await serve(opened, options, signal);
  return {threadId, provider, tools, answerSchema, instructions, scoped, delegation, hooks, traces, memory, bus, ...history};
}

async function openModel({settings, providerSettings}: SessionSettings): Promise<Provider> {
  const {openProvider} = await import('../../models/open-provider.ts');
  return await openProvider(settings.model ?? '', providerSettings).catch(async (thrown: unknown) => {
    const {withAutoHint} = await import('../settings/auto-choices.ts');
    throw withAutoHint(thrown, settings);
  });
}

async function ownModel(provider: Provider): Promise<Provider> {
  const [{guardProvider}, {separateThinking}] = await Promise.all([
    import('../../models/guard-provider.ts'),
    import('../../models/thinking/separate-thinking.ts'),
  ]);
  return separateThinking(guardProvider(provider));
}

async function openThreadTools(options: OpenThreadOptions, threadId: string): Promise<OpenedTools> {
  const {session, readOnly, editor, schedule, toolOptions, tools} = options;
  const spoolDir = spoolFolder(session.paths.stateDir, threadId);
  return await openTools({session, spoolDir, readOnly, editor, schedule, threadId, toolOptions, tools});
}

async function answerJudge({outputSchema}: OpenThreadOptions): Promise<EndJudge | undefined> {
  if (outputSchema === undefined) return undefined;
  const {answerSchemaJudge} = await import('../../agent/answer-schema.ts');
  return await answerSchemaJudge(outputSchema);
}

/** Adds the tools of the MCP servers, unless only reads are allowed: those tools may change something. */
async function serve(
  tools: OpenedTools,
  {session, readOnly, askUser, onWait}: OpenThreadOptions,
  signal: AbortSignal,
): Promise<ServedTools> {
  return readOnly === true ? withoutServers(tools) : await addServers(tools, session, {signal, askUser, onWait});
}
