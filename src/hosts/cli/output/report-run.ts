import type {RunResult} from '../../../agent/thread.ts';
import {createRedactor} from '../../../base/redact.ts';
import type {Io} from '../io.ts';
import {describeEnding, describeOutcome} from './describe-outcome.ts';

/** The answer on stdout; why there is none, or none to rely on, on stderr. */
export function report(io: Io, result: RunResult, eventsOnly: boolean): void {
  // Never prints known keys: the output of such a run ends up in the logs of others. Text that only looks like a key may be the answer.
  const answer = createRedactor({shapes: false}).text(answerOf(result) ?? '');
  if (!eventsOnly && answer !== '') io.shown(`${answer}\n`);
  if (!eventsOnly) for (const line of describeEnding(result, io.paint)) io.note(line);
  if (result.outcome !== 'success') io.note(describeOutcome(result, io.paint));
}

/** Undefined if the run did not come to one. */
export function answerOf({outcome, text}: RunResult): string | undefined {
  return outcome === 'success' || outcome === 'denied' ? text.trim() : undefined;
}
