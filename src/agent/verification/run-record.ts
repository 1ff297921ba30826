import type {AgentStatusChanged, ThreadEvent} from '../../protocol/events.ts';
import type {Todo} from '../../tools/ports/todo-list.ts';
import {denialOf, remedyLine, type Denial} from '../denials.ts';
import type {RunReport} from '../thread.ts';

/**
 * The unfinished work of a run, according to its events: denied calls, failed subagents, tasks that were not completed, a last reply that
 * was cut.
 */
export interface RunRecord {
  /** Starts the record of a run; what an earlier run left has been reported. */
  begin(): void;
  observe(event: ThreadEvent): void;
  /** Lists the rules or modes that would have allowed the denied calls of this turn, one line each. */
  remedies(): readonly string[];
  report(): Pick<RunReport, 'denied' | 'failed_agents' | 'open_tasks' | 'reply_cut'>;
}

/** @param todos the task list of the thread; a resumed one has items before the first event. */
export function createRunRecord(todos: () => readonly Todo[]): RunRecord {
  let denials: readonly {readonly denial: Denial; readonly turnId: string}[] = [];
  let turnId = '';
  let agents = new Map<string, AgentStatusChanged>();
  let last = todos();
  let removed: readonly Todo[] = [];
  let isCut = false;
  return {
    begin() {
      isCut = false;
      denials = [];
      agents = new Map();
      last = todos();
      removed = [];
    },
    observe(event) {
      if (event.type === 'turn.started') turnId = event.turn_id;
      else if (event.type === 'permission.resolved') {
        const denial = denialOf(event);
        if (denial !== undefined && denials.length < MAX_KEPT) denials = [...denials, {denial, turnId}];
      } else if (event.type === 'request.completed' && event.agent === undefined) isCut = event.stop_reason === 'max_tokens';
      else if (event.type === 'agent.status') agents.set(event.agent_id, event);
      else if (event.type === 'item.completed' && event.item.type === 'todo_list') {
        removed = removedItems(removed, last, event.item.items);
        last = event.item.items;
      }
    },
    remedies: () => denials.filter((one) => one.turnId === turnId).map(({denial}) => remedyLine(denial)),
    report() {
      const denied = unique(denials.map(({denial}) => denial));
      const failed = [...agents.values()].flatMap(failedAgent);
      const open = openTasks(todos(), removed);
      return {
        ...(denied.length === 0 ? {} : {denied}),
        ...(failed.length === 0 ? {} : {failed_agents: failed}),
        ...(open.length === 0 ? {} : {open_tasks: open}),
        ...(isCut ? {reply_cut: true} : {}),
      };
    },
  };
}

const MAX_KEPT = 50;
const MAX_CHARS = 200;

function unique<T>(list: readonly T[]): T[] {
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}

/** A subagent that failed or was still running. Planner and evaluator are left out: `evaluation` reports on them. */
function failedAgent({agent_id: id, status, role, message}: AgentStatusChanged): NonNullable<RunReport['failed_agents']> {
  if (role === 'planner' || role === 'evaluator' || status === 'completed' || status === 'closed') return [];
  const why = status === 'failed' ? message : 'it was still at work when the run ended';
  return [{agent_id: id, ...(why === undefined ? {} : {message: why.slice(0, MAX_CHARS)})}];
}

/** Items that were taken out of the list before they were completed, and did not come back. */
function removedItems(removed: readonly Todo[], before: readonly Todo[], after: readonly Todo[]): readonly Todo[] {
  const gone = before.filter((item) => item.status !== 'completed' && !after.some((other) => isSame(item, other)));
  return [...removed, ...gone].filter((item) => !after.some((other) => isSame(item, other))).slice(0, MAX_KEPT);
}

/** True for the same words, or for a reworded item with the same id and half of the words. */
function isSame(one: Todo, other: Todo): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (one.content === other.content || words.join(' ') === others.join(' ')) return true;
  if (one.id !== other.id) return false;
  const common = words.filter((word) => others.includes(word)).length;
  return common * 2 >= Math.min(words.length, others.length);
}

function wordsOf({content}: Todo): readonly string[] {
  return [
    ...new Set(
      content
        .slice(0, MAX_CHARS)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
    ),
  ];
}

function openTasks(todos: readonly Todo[], removed: readonly Todo[]): NonNullable<RunReport['open_tasks']> {
  const open = todos.flatMap(({content, status}) => (status === 'completed' ? [] : [{content, status}]));
  return [...open, ...removed.map(({content}) => ({content, status: 'removed' as const}))]
    .map(({content, status}) => ({content: content.slice(0, MAX_CHARS), status}))
    .slice(0, MAX_KEPT);
}
