import {newId} from '../../base/ids.ts';
import type {ModelReply, Paid, Provider} from '../../models/provider.ts';
import type {AgentStatusChanged, OutcomeCode, ThreadCompleted, ThreadEvent, ThreadStarted} from '../../protocol/events.ts';
import {SCHEMA_VERSION} from '../../protocol/schema-version.ts';
import type {SubagentTools} from '../delegation/child-thread.ts';
import {beginning} from '../delegation/response.ts';
import {spentOn} from '../budget.ts';
import {createMeter, type Meter} from '../meter.ts';
import type {JsonAnswer} from './request-json.ts';
import type {Role} from './plan-task.ts';
import {openRoleTools} from './role-tools.ts';

export type RoleName = 'planner' | 'evaluator';

/** The log of a role's conversation: stored below the log of the thread. */
export interface RoleLog {
  emit(event: ThreadEvent): void;
  close(): Promise<void>;
}

export interface RoleOptions {
  readonly threadId: string;
  /** Opens the model of a role. */
  readonly providerOf: (role: RoleName) => Promise<Provider>;
  readonly meter: Meter;
  readonly emit: (event: ThreadEvent) => void;
  /** The first of `<name>-1`, `<name>-2` … that no subagent of the thread has. */
  readonly freeId: (name: string) => string;
  /** Returns the tools that a role may call; undefined: none. */
  readonly toolsOf: (role: RoleName, provider: Provider) => Promise<SubagentTools | undefined>;
  readonly openLog: (threadId: string) => Promise<RoleLog>;
  readonly place: Pick<ThreadStarted, 'cwd' | 'toolset' | 'fettle_version'>;
}

/**
 * Asks a role one question. Its requests count for the run and are events of the thread; the conversation has a
 * log of its own. Throws the errors of `ask`.
 */
export async function runRole<T>(
  options: RoleOptions,
  {name, turnId, task}: {readonly name: RoleName; readonly turnId: string; readonly task: string},
  ask: (role: Role) => Promise<JsonAnswer<T>>,
): Promise<JsonAnswer<T>> {
  const {threadId, emit, openLog} = options;
  const provider = await options.providerOf(name);
  const tools = await options.toolsOf(name, provider);
  const entry: Omit<AgentStatusChanged, 'status'> = {
    type: 'agent.status',
    thread_id: threadId,
    agent_id: options.freeId(name),
    agent: name,
    child_thread_id: newId('thr'),
    run_id: newId('run'),
    task: beginning(task),
    role: name,
  };
  emit({...entry, status: 'running'});
  const log = await openLog(entry.child_thread_id);
  const thread = begun(log, {...options, name, childThreadId: entry.child_thread_id, model: provider.model});
  let answer: JsonAnswer<T> | undefined;
  try {
    const {meter} = thread;
    const mayAsk = (): boolean => options.meter.excess() === undefined;
    const onReply = (reply: ModelReply, durationMs: number): void => {
      meter.add(spentOn(reply));
      emit(asked({name, turnId, model: provider.model, reply, durationMs}));
    };
    const onPaid = (paid: Paid): void => {
      meter.add(spentOn(paid));
      emit(lost({name, turnId, model: provider.model, paid}));
    };
    const {turnId: ownTurn} = thread;
    const own = tools && openRoleTools({tools, emit: log.emit, turnId: ownTurn});
    answer = await ask({provider, turnId: ownTurn, emit: log.emit, onReply, onPaid, mayAsk, tools: own});
    return answer;
  } finally {
    thread.end(answer);
    await log.close();
    emit({...entry, status: answer?.ok === true ? 'completed' : 'failed', message: answer?.ok === false ? answer.problem : undefined});
  }
}

interface RoleThread {
  readonly turnId: string;
  /** Counts for the thread, too. */
  readonly meter: Meter;
  end(answer: JsonAnswer<unknown> | undefined): void;
}

type Begun = RoleOptions & {readonly name: RoleName; readonly childThreadId: string; readonly model: string};

function begun(log: RoleLog, {threadId: parent, meter: ofThread, place, name, childThreadId, model}: Begun): RoleThread {
  const now = (): number => performance.now();
  const meter = createMeter({limits: {}, now, parent: ofThread});
  const turnId = newId('trn');
  const ids = {thread_id: childThreadId, turn_id: turnId};
  const beganAt = now();
  const started = {schema_version: SCHEMA_VERSION, thread_id: childThreadId, ...place, model, resumed: false};
  log.emit({type: 'thread.started', ...started, parent_thread_id: parent, agent: name});
  log.emit({type: 'turn.started', ...ids});
  return {
    turnId,
    meter,
    end(answer) {
      const {usage, costUsd, requests} = meter.run;
      const spent = {usage, cost_usd: costUsd, num_requests: requests, duration_ms: now() - beganAt};
      const failure = {outcome_code: 'failed' as OutcomeCode, message: answer?.ok === false ? answer.problem : 'It was cut off.'};
      log.emit(answer?.ok === true ? {type: 'turn.completed', ...ids, ...spent} : {type: 'turn.failed', ...ids, ...failure, ...spent});
      log.emit(completed(childThreadId, answer?.ok === true ? undefined : failure.message, meter));
    },
  };
}

function completed(threadId: string, problem: string | undefined, {run: {usage, costUsd}}: Meter): ThreadCompleted {
  return {
    type: 'thread.completed',
    thread_id: threadId,
    subtype: problem === undefined ? 'success' : 'error_during_execution',
    outcome_code: problem === undefined ? 'success' : 'failed',
    ...(problem === undefined ? {} : {stop_reason: problem}),
    usage,
    total_cost_usd: costUsd,
    num_turns: 1,
  };
}

interface Asked {
  readonly name: RoleName;
  readonly turnId: string;
  readonly model: string;
  readonly reply: ModelReply;
  readonly durationMs: number;
}

function asked({name, turnId, model, reply, durationMs}: Asked): ThreadEvent {
  return {
    type: 'request.completed',
    turn_id: turnId,
    request_id: newId('req'),
    model,
    stop_reason: reply.stopReason,
    usage: reply.usage,
    cost_usd: reply.costUsd,
    duration_ms: durationMs,
    retries: reply.retries,
    agent: name,
  };
}

function lost({name, turnId, model, paid}: Pick<Asked, 'name' | 'turnId' | 'model'> & {readonly paid: Paid}): ThreadEvent {
  const {usage, costUsd} = paid;
  const message = 'An attempt failed after the model had begun to answer.';
  return {type: 'request.failed', turn_id: turnId, request_id: newId('req'), model, message, usage, cost_usd: costUsd, agent: name};
}
