import {dirname} from 'node:path';
import {isJsonObject, parseJson} from '../../base/json.ts';
import type {AgentStatusChanged} from '../../protocol/events.ts';
import type {ToolInvocationItem} from '../../protocol/items.ts';
import type {LoggedEvent} from '../log-line.ts';
import {allSessionFiles} from '../session-files.ts';

/** The session of a subagent, for an export that holds all of a run. */
export interface SubagentLog {
  readonly threadId: string;
  /** The item of the call that started it, if that is known. */
  readonly callId: string | undefined;
  /** The first event about it in the log of the thread that started it; absent if only its own log is known. */
  readonly agent?: AgentStatusChanged | undefined;
  readonly events: readonly LoggedEvent[];
  /** Those that it started itself. */
  readonly subagents: readonly SubagentLog[];
}

/** The logs of the subagents that a session started, each once, in the order of their start. One that was deleted is left out. */
export async function subagentLogs(
  file: string,
  events: readonly LoggedEvent[],
  load: (file: string) => Promise<readonly LoggedEvent[]>,
): Promise<readonly SubagentLog[]> {
  if (startedIn(events).size === 0) return [];
  const files = new Map(allSessionFiles(dirname(dirname(dirname(file)))).map((one) => [one.threadId, one.file]));
  return await nestSubagents(events, async (threadId) => {
    const path = files.get(threadId);
    return path === undefined || path === file ? undefined : await load(path);
  });
}

/** The same, where `logOf` gives the log of a thread; undefined: there is none. */
export async function nestSubagents(
  events: readonly LoggedEvent[],
  logOf: (threadId: string) => Promise<readonly LoggedEvent[] | undefined>,
): Promise<readonly SubagentLog[]> {
  const known = new Set<string>();
  const logsOf = async (of: readonly LoggedEvent[]): Promise<readonly SubagentLog[]> => {
    const logs: SubagentLog[] = [];
    for (const [threadId, callId] of startedIn(of)) {
      // A log that names itself, or its parent, would never end.
      if (known.has(threadId)) continue;
      known.add(threadId);
      const own = await logOf(threadId);
      if (own !== undefined) logs.push({threadId, callId, agent: firstStatus(of, threadId), events: own, subagents: await logsOf(own)});
    }
    return logs;
  };
  return await logsOf(events);
}

function firstStatus(events: readonly LoggedEvent[], threadId: string): AgentStatusChanged | undefined {
  for (const {event} of events) if (event.type === 'agent.status' && event.child_thread_id === threadId) return event;
  return undefined;
}

/** The threads of subagents that a log mentions, with the call that started each. */
export function startedIn(events: readonly LoggedEvent[]): ReadonlyMap<string, string | undefined> {
  const children = new Map<string, string | undefined>();
  const open = new Map<string, ToolInvocationItem>();
  const taken = new Set<string>();
  for (const {event} of events) {
    if (event.type === 'item.started' && event.item.type === 'tool_invocation') open.set(event.item.id, event.item);
    else if (event.type === 'item.completed' && event.item.type === 'tool_output') open.delete(event.item.call_id);
    else if (event.type === 'agent.status' && !children.has(event.child_thread_id)) {
      const call = callBehind(event, {running: [...open.values()], taken});
      if (call !== undefined) taken.add(call);
      children.set(event.child_thread_id, call);
    }
  }
  return children;
}

interface OpenCalls {
  readonly running: readonly ToolInvocationItem[];
  /** Item ids of those that have a subagent. */
  readonly taken: ReadonlySet<string>;
}

/** The call that it names; in older logs the call with the subagent's task, or the only one that runs. */
function callBehind({task, role, tool_call_id: named}: AgentStatusChanged, {running, taken}: OpenCalls): string | undefined {
  if (named !== undefined) return running.find((call) => call.tool_call_id === named)?.id;
  // The harness asked it.
  if (role !== undefined) return undefined;
  const free = running.filter(({id}) => !taken.has(id));
  const start = task.replace(/…$/, '').slice(0, 60);
  const reporting = free.find((call) => says(call.arguments, start));
  return reporting?.id ?? (free.length === 1 ? free[0]?.id : undefined);
}

function says(argumentsText: string, beginning: string): boolean {
  const parsed = parseJson(argumentsText);
  return (
    beginning !== '' &&
    isJsonObject(parsed) &&
    Object.values(parsed).some((value) => typeof value === 'string' && value.includes(beginning))
  );
}
