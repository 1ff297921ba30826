import {FettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {createHistory} from '../../sessions/history.ts';
import type {AgentProfile, AgentRequest, AgentRunner} from '../../tools/agent-runner.ts';
import {harness} from '../model-reply.ts';
import type {RunResult} from '../thread.ts';
import type {CallScope} from '../tool-calls.ts';
import {createChildEvents, type ChildEvents} from './child-events.ts';
import {createChildThread, type ChildThreadOptions} from './child-thread.ts';
import {parseFindings} from './findings.ts';
import type {FindingsMerge} from './merge-findings.ts';
import type {Profile, SubagentProfile} from './profile.ts';
import type {Slots} from './slots.ts';

/** What every subagent of a thread shares. */
export interface TaskRunnerOptions extends Pick<ChildThreadOptions, 'folder' | 'meter' | 'now'> {
  readonly threadId: string;
  readonly profiles: readonly Profile[];
  readonly providerFor: (profile: SubagentProfile) => Promise<ChildThreadOptions['provider']>;
  readonly toolsFor: (profile: SubagentProfile, provider: ChildThreadOptions['provider']) => Promise<ChildThreadOptions['tools']>;
  readonly emit: (event: ThreadEvent) => void;
  readonly scope: Pick<CallScope, 'turnId' | 'refuse'>;
  readonly slots: Slots;
  readonly findings: Pick<FindingsMerge, 'add'>;
}

/**
 * Runs a task to its end on the same loop as every thread, and gives the answer (vibe tool system › Task Tool). Such a subagent keeps no log
 * ("session logging disabled for subagent runs"); its requests and permissions, and a line with totals, are events of the thread.
 */
export function createTaskRunner(options: TaskRunnerOptions): Pick<AgentRunner, 'run'> {
  const {emit, scope, slots, findings} = options;
  return {
    async run(request, signal) {
      const profile = subagentNamed(options.profiles, request.profile);
      if (profile.isolation !== undefined) throw isolated(profile);
      const turnId = scope.turnId();
      const told = createChildEvents({
        emit,
        turnId: () => turnId,
        agent: profile.name,
        onProgress: request.onProgress,
        onRefused: () => scope.refuse(request.callId),
        // The turn of a cancelled subagent is over, and its log may be closed.
        isOver: () => signal.aborted,
      });
      const result = await slots.run(() => runTask(options, {request, profile, told}, signal), signal);
      if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
      const stopped = result.outcome === 'success' ? '' : `; ${result.message ?? result.outcome}`;
      emit(harness('subagent', `${profile.name}: ${totals(result, told.calls)}${stopped}`));
      const response = responseOf(result, told.said);
      // What answers in JSON answers a tool, which uses it in its own way.
      if (!response.trimStart().startsWith('{')) findings.add(parseFindings(profile.name, response));
      return {response, turnsUsed: result.spent.requests, completed: result.outcome === 'success'};
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

/** Throws BAD_ARGS for a name that is none of a subagent. */
export function subagentNamed(profiles: readonly Profile[], name: string): SubagentProfile {
  const subagents = profiles.filter((profile) => profile.isSubagent);
  const found = subagents.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const isMain = profiles.some((profile: AgentProfile) => profile.name === name);
  const message = isMain ? `${name} is not a subagent: it cannot be given a task.` : `There is no subagent "${name}".`;
  throw new FettleError({code: 'BAD_ARGS', message, hint: `Subagents: ${subagents.map((profile) => profile.name).join(', ')}.`});
}

function isolated({name}: SubagentProfile): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${name} works in a copy of the repository: what it changes has to be merged afterwards.`,
    hint: `Spawn it: agents {action: "spawn", agent: "${name}", message: …}; then wait, look at the diff, and merge_agent.`,
  });
}

async function runTask(
  {folder, meter, now, providerFor, toolsFor, threadId: parent}: TaskRunnerOptions,
  {request, profile, told}: {readonly request: AgentRequest; readonly profile: SubagentProfile; readonly told: ChildEvents},
  signal: AbortSignal,
): Promise<RunResult> {
  const provider = await providerFor(profile);
  const tools = await toolsFor(profile, provider);
  const history = createHistory();
  const thread = createChildThread({
    threadId: newId('thr'),
    profile,
    provider,
    folder,
    meter,
    now,
    limits: {maxTurns: request.maxTurns, maxToolCalls: request.maxToolCalls},
    tools,
    emit(event) {
      history.apply(event);
      told.take(event);
    },
    keep: ({frame}) => ({request: async () => ({...frame, messages: history.messages()})}),
    started: {toolset: '', fettle_version: '', resumed: false, parent_thread_id: parent},
  });
  return await thread.run(request.task, signal);
}

/** What a subagent says in the end; what it said on the way, and why it stopped, where there is no end. */
export function responseOf(result: RunResult, said: readonly string[]): string {
  if (result.outcome === 'success') return result.text;
  const why = result.message ?? result.outcome;
  if (result.outcome === 'denied') return `${result.text}\n\n[${why}]`;
  return [...said, `[The subagent stopped: ${why}]`].join('\n\n');
}

function totals({spent: {requests, usage, costUsd}}: RunResult, calls: number): string {
  const price = costUsd === null || costUsd === 0 ? '' : `, $${costUsd.toFixed(4)}`;
  return `${counted(requests, 'request')}, ${counted(calls, 'call')}, ${usage.input_tokens} tokens in, ${usage.output_tokens} out${price}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
