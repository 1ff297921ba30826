import type {RunResult} from '../thread.ts';

/** Returns the final message of a subagent; without one, its other messages and the reason for the stop. */
export function responseOf(result: RunResult, said: readonly string[]): string {
  if (result.outcome === 'success') return result.text;
  const why = result.message ?? result.outcome;
  if (result.outcome === 'denied') return `${result.text}\n\n[${why}]`;
  return [...said, `[The subagent stopped: ${why}]`].join('\n\n');
}

const RESPONSE_KEPT = 32_000;

/** For the log of the thread, at most 32,000 characters; the subagent's log has all of it. */
export function clippedResponse(text: string): string {
  return text.length <= RESPONSE_KEPT ? text : `${text.slice(0, RESPONSE_KEPT).toWellFormed()}\n[… cut]`;
}

const TASK_SHOWN = 200;

/** Shortens a task to its beginning, for its line in a list. */
export function beginning(text: string): string {
  return text.length <= TASK_SHOWN ? text : `${text.slice(0, TASK_SHOWN).toWellFormed()}…`;
}
