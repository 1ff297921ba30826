import {FettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';
import type {Provider} from '../models/provider.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import type {ToolSchema} from '../protocol/messages.ts';
import {createHistory} from '../sessions/history.ts';
import type {AgentRequest, AgentRunner} from '../tools/agent-runner.ts';
import type {Dispatcher, DispatchListener} from '../tools/dispatch.ts';
import {PROFILES, type SubagentProfile} from './agent-profiles.ts';
import {createInputQueue} from './input-queue.ts';
import {createMeter, type Meter} from './meter.ts';
import {harness} from './model-reply.ts';
import {createToolCalls, type CallScope} from './tool-calls.ts';
import {runTurn, type TurnContext, type TurnResult} from './turn.ts';

export interface AgentRunnerOptions {
  readonly provider: Provider;
  /** Absolute. */
  readonly folder: string;
  /** Of the thread that starts subagents: what they use counts there. */
  readonly meter: Meter;
  readonly now: () => number;
  readonly emit: (event: ThreadEvent) => void;
  readonly scope: Pick<CallScope, 'turnId' | 'refuse'>;
  readonly toolsFor: (profile: SubagentProfile) => SubagentTools;
}

export interface SubagentTools {
  readonly schemas: readonly ToolSchema[];
  createDispatcher(listener: DispatchListener): Dispatcher;
}

/**
 * Runs subagents on the same loop as every thread (vibe tool system › Task Tool): a conversation, a dispatcher and limits of their own, and
 * the permissions, the person and the budget of the thread that starts them. They keep no log; their requests and permissions, and a line
 * with totals, are events of the thread.
 */
export function createAgentRunner(options: AgentRunnerOptions): AgentRunner {
  return {
    profiles: PROFILES,
    async run(request, signal) {
      const profile = subagentNamed(request.profile);
      const told = createReport(options, {request, profile}, signal);
      const result = await runTask(options, {request, profile, told}, signal);
      if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
      const stopped = result.outcome === 'success' ? '' : `; ${result.message ?? result.outcome}`;
      options.emit(harness('subagent', `${profile.name}: ${totals(result, told.calls)}${stopped}`));
      return {response: responseOf(result, told.said), turnsUsed: result.spent.requests, completed: result.outcome === 'success'};
    },
  };
}

/** What subagents are given in place of a runner: one level only (vibe tool system › Task Tool; vtcode architecture › delegation). */
export const NO_FURTHER_AGENTS: AgentRunner = {
  profiles: [],
  async run() {
    throw new FettleError({code: 'LIMIT', message: 'A subagent cannot start another.', hint: 'Do this part yourself.'});
  },
};

function subagentNamed(name: string): SubagentProfile {
  const subagents = PROFILES.filter((profile) => profile.isSubagent);
  const found = subagents.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const isMain = PROFILES.some((profile) => profile.name === name);
  const message = isMain ? `${name} is not a subagent: it cannot be given a task.` : `There is no subagent "${name}".`;
  throw new FettleError({code: 'BAD_ARGS', message, hint: `Subagents: ${subagents.map((profile) => profile.name).join(', ')}.`});
}

interface Assignment {
  readonly request: AgentRequest;
  readonly profile: SubagentProfile;
}

async function runTask(
  {provider, folder, meter: parent, now, toolsFor}: AgentRunnerOptions,
  {request, profile, told}: Assignment & {readonly told: Report},
  signal: AbortSignal,
): Promise<TurnResult> {
  const threadId = newId('thr');
  const history = createHistory();
  const emit = (event: ThreadEvent): void => {
    history.apply(event);
    told.take(event);
  };
  const tools = toolsFor(profile);
  const calls = createToolCalls({emit, createDispatcher: ({listener}) => tools.createDispatcher(listener)});
  const limits = {
    maxTurns: Math.min(request.maxTurns ?? Infinity, profile.maxTurns),
    maxToolCalls: Math.min(request.maxToolCalls ?? Infinity, profile.maxToolCalls),
  };
  const context: TurnContext = {
    threadId,
    provider,
    queue: createInputQueue(),
    meter: createMeter({limits, now, parent}),
    emit,
    now,
    request: async () => ({
      system: `${profile.prompt}\n\nFolder: ${folder}`,
      messages: history.messages(),
      tools: tools.schemas,
      cacheKey: threadId,
    }),
    runTools: calls.run,
    endJudges: [],
  };
  // Its time is that of the run that started it, which then cancels it.
  return await runTurn(context, request.task, {signal, timeUp: new AbortController().signal});
}

/** What the thread that started a subagent learns of it. */
interface Report {
  take(event: ThreadEvent): void;
  /** Every text of the subagent up to now. */
  readonly said: readonly string[];
  readonly calls: number;
}

function createReport({emit, scope}: AgentRunnerOptions, {request, profile}: Assignment, signal: AbortSignal): Report {
  const turnId = scope.turnId();
  const said: string[] = [];
  let calls = 0;

  const takeItem = (item: Extract<ThreadEvent, {type: 'item.completed'}>['item']): void => {
    if (item.type === 'agent_message' && item.text.trim() !== '') said.push(item.text.trim());
    if (item.type === 'harness') request.onProgress(item.message ?? item.event);
    if (item.type !== 'tool_output') return;
    calls += 1;
    request.onProgress(`${item.tool_name}: ${item.summary ?? item.status}`);
  };

  return {
    take(event) {
      // The turn of a cancelled subagent is over, and its log may be closed.
      if (signal.aborted) return;
      if (event.type === 'item.completed') takeItem(event.item);
      if (event.type !== 'request.completed' && event.type !== 'permission.requested' && event.type !== 'permission.resolved') return;
      if (event.type === 'permission.resolved' && event.decision === 'deny' && event.decided_by !== 'mode:plan')
        scope.refuse(request.callId);
      emit({...event, turn_id: turnId, agent: profile.name});
    },
    said,
    get calls() {
      return calls;
    },
  };
}

function responseOf(result: TurnResult, said: readonly string[]): string {
  if (result.outcome === 'success') return result.text;
  const why = result.message ?? result.outcome;
  if (result.outcome === 'denied') return `${result.text}\n\n[${why}]`;
  return [...said, `[The subagent stopped: ${why}]`].join('\n\n');
}

function totals({spent: {requests, usage, costUsd}}: TurnResult, calls: number): string {
  const price = costUsd === null || costUsd === 0 ? '' : `, $${costUsd.toFixed(4)}`;
  return `${counted(requests, 'request')}, ${counted(calls, 'call')}, ${usage.input_tokens} tokens in, ${usage.output_tokens} out${price}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
