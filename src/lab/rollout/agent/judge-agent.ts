import {EXIT} from '../../../protocol/exit-code.ts';
import type {AgentRun} from './run-agent.ts';
import type {FailureKind} from '../rollout.ts';

/** The meaning of the end of an agent for its rollout. */
export type AgentEnd =
  /** The tree is to be judged. `failure`: the reason if it does not pass. */
  | {readonly kind: 'finished'; readonly failure: FailureKind; readonly note: string | undefined}
  /** The run says nothing about the agent. */
  | {readonly kind: 'infrastructure'; readonly note: string};

/**
 * Tells failures of the agent from those of the infrastructure, by the outcome that its events name and by its exit code (design 6): providers
 * that failed after all retries, wrong settings, defects, and an agent that the machine killed are infrastructure.
 */
export function judgeAgent({
  exitCode,
  signal,
  timedOut,
  outcome,
  message,
  said,
}: Pick<AgentRun, 'exitCode' | 'signal' | 'timedOut' | 'outcome' | 'message' | 'said'>): AgentEnd {
  if (timedOut) return {kind: 'finished', failure: 'time-limit', note: 'The agent did not end at its limit of time and was ended.'};
  const failure = outcome === undefined ? undefined : BY_OUTCOME.get(outcome);
  if (failure !== undefined && isExpected(exitCode))
    return {kind: 'finished', failure, note: failure === 'wrong-answer' ? undefined : message};
  const last = said.split('\n').findLast((line) => !/^\s*(?:hint:|$)/.test(line)) ?? '';
  const reason = message ?? (last === '' ? undefined : last);
  const how = exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
  return {kind: 'infrastructure', note: oneLine(`The agent ${how}${reason === undefined ? '' : `: ${reason}`}`)};
}

const BY_OUTCOME: ReadonlyMap<string, FailureKind> = new Map([
  ['success', 'wrong-answer'],
  ['blocked', 'no-answer'],
  ['request_too_large', 'token-limit'],
  ['denied', 'denied'],
  ['turn_limit_reached', 'turn-limit'],
  ['token_limit_reached', 'token-limit'],
  ['budget_limit_reached', 'cost-limit'],
  ['time_limit_reached', 'time-limit'],
  ['loop_detected', 'loop'],
]);

/** An exit code of the agent itself, and no signal. */
function isExpected(exitCode: number | null): boolean {
  return exitCode !== null && exitCode <= EXIT.blocked;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 500);
}
