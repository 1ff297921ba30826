import type {JsonObject} from '../../base/json.ts';
import type {RequestCompleted} from '../../protocol/request-events.ts';
import type {LoggedEvent} from '../log-line.ts';
import {toolDefinitions} from './atif-context.ts';
import {isoTime, stepsOf} from './atif-steps.ts';
import type {SubagentLog} from './subagent-logs.ts';
import {transcriptOf, type ReplyEntry, type Transcript} from './transcript.ts';
import {wholeCount} from './whole-count.ts';

/**
 * The session as an ATIF-v1.7 trajectory (Harbor RFC 0001), JSON text: one user step for each user message, one agent step for each reply with
 * its reasoning, calls, results and metrics, one system step for the system prompt, each compaction and each rewinding. A compaction is followed
 * by the conversation as the model saw it from there on. The agent has the definitions of its tools. Subagents are embedded with their profiles,
 * and the results of the calls that started them refer to them. Unlike in "vtcode architecture › traces", the prompts are in it, parallel
 * calls of one reply stay together, and a call that was cut off still has a result.
 */
export function exportAtif(events: Iterable<LoggedEvent>, subagents: readonly SubagentLog[] = []): string {
  return `${JSON.stringify(trajectoryOf({events, subagents}, new Set()).trajectory, undefined, 2)}\n`;
}

interface Identified {
  readonly id: string;
  readonly trajectory: JsonObject;
}

interface Source extends Pick<SubagentLog, 'subagents' | 'agent'> {
  readonly events: Iterable<LoggedEvent>;
}

/** `taken`: ids of trajectories, which must differ from one another. */
function trajectoryOf({events, subagents, agent}: Source, taken: Set<string>): Identified {
  const transcript = transcriptOf(events);
  const {started, startedAt} = transcript;
  const id = unused(started?.thread_id ?? 'unknown', taken);
  const embedded = subagents.map((log) => {
    return {callId: log.callId, ...trajectoryOf(log, taken)};
  });
  const steps = stepsOf(transcript, (callId) => embedded.filter((one) => one.callId === callId).map((one) => one.id));
  if (steps.length === 0) steps.push({...isoTime(startedAt), source: 'system', message: 'Nothing was said in this session.'});
  const trajectory: JsonObject = {
    schema_version: 'ATIF-v1.7',
    session_id: started?.thread_id ?? 'unknown',
    trajectory_id: id,
    agent: agentOf(transcript, agent),
    steps: steps.map((step, index) => ({step_id: index + 1, ...step})),
    final_metrics: finalMetrics(transcript, steps.length),
    ...(embedded.length === 0 ? {} : {subagent_trajectories: embedded.map((one) => one.trajectory)}),
  };
  return {id, trajectory};
}

/** Describes the agent: of a subagent also its profile, its name in the thread that started it, and that thread. */
function agentOf({started, entries}: Transcript, status: SubagentLog['agent']): JsonObject {
  const frames = entries.flatMap((entry) => (entry.kind === 'frame' ? [entry.frame] : []));
  return {
    name: 'fettle',
    version: started?.fettle_version ?? 'unknown',
    model_name: started?.model,
    tool_definitions: toolDefinitions(frames),
    extra: {toolset: started?.toolset ?? 'unknown', ...subagentFields(started, status)},
  };
}

/** Fields without a value are left out of the JSON. */
function subagentFields(started: Transcript['started'], status: SubagentLog['agent']): JsonObject {
  return {
    profile: started?.agent ?? status?.agent,
    parent_thread_id: started?.parent_thread_id ?? status?.thread_id,
    agent_id: status?.agent_id,
    role: status?.role,
  };
}

/** Totals of the steps of this trajectory; subagents have their own. Other usage, of subagents or summaries, is in `extra`. */
function finalMetrics({entries, totals, verified}: Transcript, steps: number): JsonObject {
  const requests = entries.filter((entry): entry is ReplyEntry => entry.kind === 'reply').flatMap(({request}) => request ?? []);
  const sum = (of: (request: RequestCompleted) => number): number => requests.reduce((total, request) => total + of(request), 0);
  const costs = requests.map(({cost_usd: cost}) => cost);
  return {
    total_prompt_tokens: sum(({usage}) => wholeCount(usage.input_tokens)),
    total_completion_tokens: sum(({usage}) => wholeCount(usage.output_tokens)),
    total_cached_tokens: sum(({usage}) => Math.min(wholeCount(usage.cached_input_tokens), wholeCount(usage.input_tokens))),
    ...(costs.includes(null) ? {} : {total_cost_usd: costs.reduce<number>((total, cost) => total + (cost ?? 0), 0)}),
    total_steps: steps,
    extra: {
      num_turns: totals.turns,
      num_requests: requests.length,
      outcome: totals.outcome ?? 'none',
      ...(verified === undefined ? {} : {verified}),
      ...(totals.requests === requests.length ? {} : {with_subagents: withSubagents(totals)}),
    },
  };
}

function withSubagents({usage, costUsd, requests}: Transcript['totals']): JsonObject {
  return {
    num_requests: requests,
    prompt_tokens: wholeCount(usage.input_tokens),
    completion_tokens: wholeCount(usage.output_tokens),
    ...(costUsd === null ? {} : {cost_usd: costUsd}),
  };
}

function unused(id: string, taken: Set<string>): string {
  let free = id;
  for (let number = 2; taken.has(free); number += 1) free = `${id}-${number}`;
  taken.add(free);
  return free;
}
