import {counted} from '../../base/counted.ts';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import type {AgentStatusChanged, ThreadEvent} from '../../protocol/events.ts';
import type {AgentProfile, AgentRequest, AgentResult, AgentRunner} from '../../tools/ports/agent-runner.ts';
import {harness} from '../receive-reply.ts';
import type {RunResult} from '../thread.ts';
import type {CallScope} from '../tool-calls.ts';
import type {ChildRecord} from './child-record.ts';
import type {LiveChildOptions, OpenedChild} from './live-child.ts';
import type {Profile, SubagentProfile} from './profile.ts';
import {beginning, clippedResponse, responseOf} from './response.ts';
import type {Slots} from './slots.ts';

/** Options shared by all subagents of a thread. */
export interface TaskRunnerOptions extends Pick<LiveChildOptions, 'open'> {
  readonly threadId: string;
  readonly profiles: readonly Profile[];
  readonly emit: (event: ThreadEvent) => void;
  readonly scope: Pick<CallScope, 'refuse'>;
  readonly slots: Slots;
  readonly record: Pick<ChildRecord, 'freeId' | 'attend'>;
  readonly tasks: RunningTasks;
}

/** The subagents that calls wait for, by their ids, each with a function that ends only that one. */
export type RunningTasks = Map<string, () => void>;

/**
 * Runs a task to its end on the same loop as every thread, and returns the answer (vibe tool system › Task Tool). Such a subagent is not a
 * session of a person ("session logging disabled for subagent runs"): its steps are in a log below that of the thread, for exports. Its requests
 * and permissions, its status, and a line with totals are events of the thread; its findings are merged into the memory with its status.
 */
export function createTaskRunner(options: TaskRunnerOptions): Pick<AgentRunner, 'run'> {
  return {
    async run(request, signal) {
      const profile = subagentNamed(options.profiles, request.profile);
      if (profile.isolation !== undefined) throw isolated(profile);
      return await options.slots.run(async () => await runTask(options, {request, profile}, signal), signal);
    },
  };
}

/** A runner for subagents that refuses: one level only (vibe tool system › Task Tool; vtcode architecture › delegation). */
export const NO_FURTHER_AGENTS: AgentRunner = {
  profiles: [],
  async run() {
    throw new FettleError({code: 'LIMIT', message: 'A subagent cannot start another.', hint: 'Do this part yourself.'});
  },
};

/** Finds the profile of a subagent. Throws BAD_ARGS for any other name. */
export function subagentNamed(profiles: readonly Profile[], name: string): SubagentProfile {
  const subagents = profiles.filter((profile) => profile.isSubagent);
  const found = subagents.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const isMain = profiles.some((profile: AgentProfile) => profile.name === name);
  const message = isMain ? `${name} is not a subagent: it cannot take a task.` : `There is no subagent "${name}".`;
  throw new FettleError({code: 'BAD_ARGS', message, hint: `Subagents: ${subagents.map((profile) => profile.name).join(', ')}.`});
}

function isolated({name}: SubagentProfile): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${name} works in a copy of the repository: what it changes has to be merged afterwards.`,
    hint: `Spawn it: agents {action: "spawn", agent: "${name}", message: …}; then wait, look at the diff, and merge_agent.`,
  });
}

interface Task {
  readonly request: AgentRequest;
  readonly profile: SubagentProfile;
}

async function runTask(options: TaskRunnerOptions, task: Task, signal: AbortSignal): Promise<AgentResult> {
  const {emit, tasks} = options;
  const entry = entryOf(options, task);
  const {agent_id: id} = entry;
  options.record.attend(id);
  const ended = new AbortController();
  tasks.set(id, () => ended.abort());
  // Logged before the subagent begins: a log that nothing refers to would never be deleted.
  emit({...entry, status: 'running'});
  try {
    const {result, child} = await ranTo(options, {...task, entry}, {turn: signal, own: AbortSignal.any([signal, ended.signal])});
    if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
    const stopped = result.outcome === 'success' ? '' : `; ${result.message ?? result.outcome}`;
    emit(harness('subagent', `${task.profile.name}: ${totals(result, child.calls())}${stopped}`));
    if (ended.signal.aborted && result.outcome === 'cancelled') {
      emit({...entry, status: 'closed', message: ENDED});
      return {response: [...child.said, `[${ENDED}]`].join('\n\n'), turnsUsed: result.spent.requests, completed: false};
    }
    const response = responseOf(result, child.said);
    const isDone = result.outcome === 'success' || result.outcome === 'denied';
    emit({...entry, status: isDone ? 'completed' : 'failed', message: result.message, ...findingsIn(response)});
    return {response, turnsUsed: result.spent.requests, completed: result.outcome === 'success'};
  } catch (thrown) {
    const {message} = toFettleError(thrown);
    emit({...entry, status: signal.aborted ? 'closed' : 'failed', message});
    throw thrown;
  } finally {
    tasks.delete(id);
  }
}

const ENDED = 'The person ended this subagent.';

function entryOf({threadId, record}: TaskRunnerOptions, {request, profile}: Task): Omit<AgentStatusChanged, 'status'> {
  return {
    type: 'agent.status',
    thread_id: threadId,
    agent_id: record.freeId(`${profile.name}-task`),
    agent: profile.name,
    child_thread_id: newId('thr'),
    run_id: newId('run'),
    task: beginning(request.task),
    role: 'task',
    tool_call_id: request.callId,
  };
}

async function ranTo(
  {open, scope}: TaskRunnerOptions,
  {request, profile, entry}: Task & {readonly entry: Omit<AgentStatusChanged, 'status'>},
  {turn, own}: {readonly turn: AbortSignal; readonly own: AbortSignal},
): Promise<{result: RunResult; child: OpenedChild}> {
  const child = await open({
    agentId: entry.agent_id,
    threadId: entry.child_thread_id,
    profile,
    resumed: false,
    limits: {maxTurns: request.maxTurns, maxToolCalls: request.maxToolCalls},
    onProgress: request.onProgress,
    onRefused: () => scope.refuse(request.callId),
    // The turn of a cancelled subagent is over.
    isOver: () => turn.aborted,
  });
  let result: RunResult | undefined;
  try {
    child.add('follow_up', request.task);
    result = await child.run(own);
  } finally {
    await child.close(result);
  }
  return {result, child};
}

/** Extracts findings; an answer in JSON belongs to the tool that asked for it, and nothing is merged. */
function findingsIn(response: string): Pick<AgentStatusChanged, 'response'> {
  return response.trimStart().startsWith('{') ? {} : {response: clippedResponse(response)};
}

function totals({spent: {requests, usage, costUsd}}: RunResult, calls: number): string {
  const price = costUsd === null || costUsd === 0 ? '' : `, $${costUsd.toFixed(4)}`;
  return `${counted(requests, 'request')}, ${counted(calls, 'call')}, ${usage.input_tokens} tokens in, ${usage.output_tokens} out${price}`;
}
