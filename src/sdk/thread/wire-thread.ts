import type {Limits} from '../../agent/budget.ts';
import {createMeter} from '../../agent/meter.ts';
import {createThread, type Thread} from '../../agent/thread.ts';
import type {ContextKeeper} from '../../context/compaction/context-keeper.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {createResultCache, type ResultCache} from '../../tools/dispatch/result-cache.ts';
import type {ThreadHooks} from '../hooks/thread-hooks.ts';
import {keepChanges} from '../undo/checkpoint-calls.ts';
import {eventSink} from './event-sink.ts';
import {keepFrames} from './keep-frames.ts';
import {openCalls} from './open-calls.ts';
import {openContext} from './open-context.ts';
import {recallFrom} from '../sessions/session-recall.ts';
import {openMentions, type Mentions} from '../mentions/open-mentions.ts';
import {type Harness, openHarness} from './open-harness.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';
import {withToldModes} from './mode-record.ts';
import {tellOfPlan} from './plan-reminder.ts';
import type {Asides} from './notes-to-model.ts';
import {threadFrame} from './thread-frame.ts';
import {createThreadModes, type ThreadModes} from './thread-modes.ts';
import type {ThreadParts} from './thread-parts.ts';
import {VERSION} from '../version.ts';
import {harnessParts} from './harness-parts.ts';
import type {OpenThreadOptions} from './thread-options.ts';

/** The parts, connected: events flow, the loop can run. */
export interface WiredThread {
  readonly thread: Thread;
  readonly emit: (event: ThreadEvent) => void;
  readonly keeper: ContextKeeper;
  readonly harness: Harness;
  readonly hooks: ThreadHooks;
  readonly modes: ThreadModes;
  readonly mentions: Mentions;
}

/** Who hears of an event, who stands around a request and a call, and who judges the end, all in one place. */
export function wireThread(options: OpenThreadOptions & {readonly asides: Asides}, parts: ThreadParts): WiredThread {
  const {threadId, provider, tools, session, history, todos, delegation, given, memory, traces, instructions} = parts;
  const checkpoints = keepChanges(options.session, threadId, tools);
  const results = createResultCache();
  const takers = {
    inside: [
      forgets(results),
      history.apply,
      given.observe,
      delegation.observe,
      (event: ThreadEvent) => [keeper, harness, calls, hooks].forEach((part) => part.observe(event)),
    ],
    outside: [memory.observe, traces.observe, ...(options.onEvent === undefined ? [] : [options.onEvent])],
  };
  const emit = delegation.findings.around(checkpoints.around(eventSink(session, takers, tools.dispatcher.secrets)));
  parts.late.emit = emit;
  const hooks = parts.hooks.start({tools, threadId, sessionFile: session.file, resumed: options.resume !== undefined, emit});
  const meter = createMeter({limits: limitsOf(options.session.settings.limits), now});
  const context = {...withToldModes(tools.dispatcher.context, threadId, emit), recall: recallFrom(session.file)};
  const modes = createThreadModes({modes: context.modes, session: options.session, begin: () => thread.begin()});
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
    onSubjects: given.touch,
  });
  const frame = threadFrame({...options, instructions, agentWords: delegation.words}, tools, threadId);
  const keeper = openContext({...contextParts(options, parts), meter, emit, frame, gate: hooks.gate});
  const thread = createThread({
    threadId,
    provider,
    meter,
    emit,
    now,
    request: keepFrames(
      session,
      dispatcher.secrets,
      harness.around(given.around(tellOfPlan({tools, history, emit, wasSwitched: modes.wasSwitched})(keeper.request))),
    ),
    makeRoom: keeper.makeRoom,
    runTools: hooks.aroundTools(calls.run),
    judgePrompt: options.asides.inFrontOf(hooks.judgePrompt),
    endJudges: [...(options.approve === undefined ? [delegation.judge] : []), ...parts.endJudges, ...hooks.judges, ...harness.judges],
    report: harness.report,
    known: harness.known,
    inputs: delegation.inputs,
    openAttempt: delegation.requests.of(undefined),
    started: {...startedIn(tools), model: provider.model, resumed: options.resume !== undefined},
  });
  return {thread, emit, keeper, harness, hooks, modes, mentions: openMentions({tools, dispatcher, asides: options.asides})};
}

/** Whoever has something to say may have changed something before. */
function forgets(results: ResultCache): (event: ThreadEvent) => void {
  return ({type}) => {
    if (type === 'turn.started' || type === 'interjected') results.clear();
  };
}

/** The parts of a thread that its context is made of. */
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
