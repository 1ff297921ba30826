import type {Limits} from '../../agent/budget.ts';
import {createMeter} from '../../agent/meter.ts';
import {createThread, type Thread} from '../../agent/thread.ts';
import type {ContextWindow} from '../../context/compaction/context-window.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {createResultCache, type ResultCache} from '../../tools/dispatch/result-cache.ts';
import type {ThreadHooks} from '../hooks/thread-hooks.ts';
import {type CheckpointCalls, keepChanges} from '../undo/checkpoint-calls.ts';
import type {ToolCalls} from '../../agent/tool-calls.ts';
import {endJudgesOf, foldPromptJudges, foldRequest, foldTools} from '../plugins/fold-plugins.ts';
import {logPlugin} from '../plugins/log-plugin.ts';
import {inOrder, type PluginSlots} from '../plugins/plugin-order.ts';
import type {ThreadPlugin} from '../plugins/thread-plugin.ts';
import {choiceEvents, type ThreadChoices} from '../optimization/thread-choices.ts';
import {openCalls} from './open-calls.ts';
import {openContext} from './open-context.ts';
import {recallFrom} from '../sessions/recall-from-log.ts';
import {openMentions, type Mentions} from '../mentions/open-mentions.ts';
import {type Harness, openHarness} from './end-conditions.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';
import {withModeEvents} from './mode-record.ts';
import {withPlanReminder} from './plan-reminder.ts';
import type {Asides} from './asides.ts';
import {threadFrame} from './thread-frame.ts';
import {createThreadModes, type ThreadModes} from './thread-modes.ts';
import type {ThreadParts} from './thread-parts.ts';
import {VERSION} from '../version.ts';
import {harnessParts} from './harness-parts.ts';
import type {OpenThreadOptions} from './thread-options.ts';

/** A thread whose parts are connected and whose loop can run. */
export interface WiredThread {
  readonly thread: Thread;
  readonly plugins: readonly ThreadPlugin[];
  readonly contextWindow: ContextWindow;
  readonly harness: Harness;
  readonly modes: ThreadModes;
  readonly mentions: Mentions;
}

interface WiringOptions extends OpenThreadOptions {
  readonly asides: Asides;
  readonly choices: ThreadChoices;
}

/** Connects the parts in the order of `inOrder`, and creates the loop around them. */
export function wireThread(options: WiringOptions, parts: ThreadParts): WiredThread {
  const {threadId, provider, tools, session, history, todos, delegation, scoped, memory, instructions, bus} = parts;
  const {emit} = bus;
  const checkpoints = keepChanges(options.session, threadId, tools);
  const results = createResultCache();
  const hooks = parts.hooks.start({tools, threadId, sessionFile: session.file, resumed: options.resume !== undefined, emit});
  const meter = createMeter({limits: limitsOf(options.session.settings.limits), now});
  const context = {...withModeEvents(tools.dispatcher.context, threadId, emit), recall: recallFrom(session.file)};
  const modes = createThreadModes({modes: context.modes, session: options.session});
  const stages = {...hooks.stages, approve: hooks.aroundApproval(options.approve), checkpoint: checkpoints.checkpoint};
  const dispatcher = {...tools.dispatcher, ...stages, context, results};
  const running = {provider, meter, emit, dispatcher, todos};
  const known = {memory, agents: delegation.record, messages: history.messages, sessionFile: session.file};
  const harness = openHarness({...harnessParts(options, threadId, tools), ...running, ...known});
  const calls = openCalls({
    ...running,
    aroundAgents: hooks.aroundAgents,
    delegation,
    folder: tools.workspace.root,
    instructions,
    now,
    askUser: hooks.aroundQuestions(options.askUser),
    onSubjects: scoped.touch,
  });
  const frame = threadFrame({...options, instructions, agentWords: delegation.words}, tools, threadId);
  const contextWindow = openContext({...contextParts(options, parts), meter, emit, frame, gate: hooks.gate});
  const planReminder = withPlanReminder({tools, history, emit, wasSwitched: modes.wasSwitched});
  const plugins = inOrder(slots(options, parts, {checkpoints, results, hooks, harness, contextWindow, calls, planReminder}));
  bus.connect(plugins, dispatcher.secrets);
  const thread = createThread({
    threadId,
    provider,
    meter,
    emit,
    now,
    request: foldRequest(plugins, contextWindow.request),
    makeRoom: contextWindow.makeRoom,
    runTools: foldTools(plugins, calls.run),
    judgePrompt: foldPromptJudges(plugins),
    endJudges: endJudgesOf(plugins),
    report: harness.report,
    known: harness.known,
    inputs: delegation.inputs,
    openAttempt: delegation.requests.of(undefined),
    started: {...startedIn(tools), model: provider.model, resumed: options.resume !== undefined, ...choiceEvents(options.choices)},
  });
  return {thread, plugins, contextWindow, harness, modes, mentions: openMentions({tools, dispatcher, asides: options.asides})};
}

interface Concerns {
  readonly checkpoints: CheckpointCalls;
  readonly results: ResultCache;
  readonly hooks: ThreadHooks;
  readonly harness: Harness;
  readonly contextWindow: ContextWindow;
  readonly calls: ToolCalls;
  readonly planReminder: ReturnType<typeof withPlanReminder>;
}

/** Each plugin by its concern; `inOrder` has their order. */
function slots(options: OpenThreadOptions & {readonly asides: Asides}, parts: ThreadParts, concerns: Concerns): PluginSlots {
  const {delegation, session, tools, history, scoped, memory, traces, answerSchema} = parts;
  const {checkpoints, results, hooks, harness, contextWindow, calls, planReminder} = concerns;
  // If a person is there, subagents may go on after an answer.
  const judgeEnd = options.approve === undefined ? delegation.judge : undefined;
  return {
    findings: {name: 'findings', before: delegation.findings.before},
    checkpoints: {name: 'checkpoints', before: checkpoints.before},
    log: logPlugin(session, tools.dispatcher.secrets),
    resultCache: {name: 'result cache', onEvent: forgets(results)},
    history: {name: 'history', onEvent: history.apply},
    delegation: {name: 'delegation', onEvent: delegation.observe, judgeEnd, close: delegation.end},
    answerSchema: {name: 'answer schema', judgeEnd: answerSchema},
    asides: {name: 'asides', judgePrompt: options.asides.judgePrompt},
    hooks: hooks.plugin,
    verification: harness.verification,
    orchestration: harness.orchestration,
    instructions: {name: 'instructions', onEvent: scoped.observe, wrapRequest: scoped.around},
    planReminder: {name: 'plan reminder', wrapRequest: planReminder},
    contextWindow: {name: 'context window', onEvent: contextWindow.observe},
    calls: {name: 'calls', onEvent: calls.observe},
    hookNotices: hooks.notices,
    embedder: options.plugins,
    memory: {name: 'memory', onRedactedEvent: memory.observe},
    traces: {name: 'traces', onRedactedEvent: traces.observe},
    host: {name: 'host', onRedactedEvent: (event) => options.onEvent?.(event)},
  };
}

/** A person who writes may have changed something before. */
function forgets(results: ResultCache): (event: ThreadEvent) => void {
  return ({type}) => {
    if (type === 'turn.started' || type === 'interjected') results.clear();
  };
}

/** Returns the parts of a thread that its context needs. */
function contextParts({session}: OpenThreadOptions, parts: ThreadParts) {
  const {threadId, provider, history, memory, tools} = parts;
  return {
    session,
    settings: session.settings,
    threadId,
    sessionFile: parts.session.file,
    toolset: tools.toolset,
    provider,
    history,
    memory,
  };
}

function startedIn({workspace, toolset}: OpenedTools): {cwd: string; toolset: string; fettle_version: string} {
  return {cwd: workspace.root, toolset: toolset.name, fettle_version: VERSION};
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
