import type {LoggedEvent} from '../log-line.ts';
import {createResponsesEmitter} from './responses/emitter.ts';
import type {SubagentLog} from './subagent-logs.ts';

/**
 * The session as Open Responses objects (specification 2026-04-24), JSONL: a completed, failed or incomplete Response for each turn, chained by
 * `previous_response_id` (after a rewinding to the one before it). `output` holds all items of the turn in order, its user messages and tool
 * outputs among them. Behind them the same for each subagent, planner and evaluator: a chain of its own, whose `metadata` names who it was and
 * the thread that it worked for.
 */
export function exportOpenResponses(events: Iterable<LoggedEvent>, subagents: readonly SubagentLog[] = []): string {
  return responsesOf(events) + subagents.map((one) => exportOpenResponses(one.events, one.subagents)).join('');
}

function responsesOf(events: Iterable<LoggedEvent>): string {
  let lines = '';
  const emitter = createResponsesEmitter((event) => {
    if (isEnd(event['type'])) lines += `${JSON.stringify(event['response'])}\n`;
  });
  for (const {event, ts} of events) emitter.take(event, Date.parse(ts));
  emitter.end();
  return lines;
}

function isEnd(type: unknown): boolean {
  return type === 'response.completed' || type === 'response.failed' || type === 'response.incomplete';
}
