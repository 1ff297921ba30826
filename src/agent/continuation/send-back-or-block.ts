import type {TurnEnd, EndVerdict, FinalAnswer} from '../turn-end.ts';
import {describeCheck, type CheckResult} from './check-result.ts';
import type {Blocker, ContinuationOptions} from './continuation-options.ts';
import {failedCheckText} from './continuation-text.ts';
import {harnessEvent} from './harness-event.ts';

/** Sends feedback on rejected answers, up to a limit. */
export interface RejectionLog {
  /** Sends the answer back, or ends the run as blocked if nothing has changed since the same feedback in this turn. */
  object(answer: FinalAnswer, rejection: Rejection, signal: AbortSignal): Promise<EndVerdict>;
  /** The same for a command that did not pass; a turn has {@link MAX_FAILURES} attempts to fix failures. */
  checkFailed(answer: FinalAnswer, checked: CheckResult, signal: AbortSignal): Promise<EndVerdict>;
  end(answer: FinalAnswer, end: TurnEnd): Promise<TurnEnd>;
}

export interface Rejection {
  /** Equal for the same reason of rejection. */
  readonly key: string;
  /** For the model. */
  readonly text: string;
  /** For people. */
  readonly message: string;
}

type Options = Pick<ContinuationOptions, 'continues' | 'snapshotTree' | 'handOff' | 'emit'> & {readonly results: () => Blocker['results']};

export function createRejectionLog({continues, snapshotTree, handOff, emit, results}: Options): RejectionLog {
  let last: {readonly turnId: string; readonly key: string; readonly isChanged: (signal: AbortSignal) => Promise<boolean>} | undefined;
  let failures = {turnId: '', count: 0};

  const end: RejectionLog['end'] = async ({turnId}, {outcome, message = '', hint}) => {
    if (!continues()) return {outcome, message, hint: hint ?? LOOK};
    const how = await handOff({outcome, summary: message, turnId, results: results()});
    return {outcome, message, hint: [hint, how].filter((part) => part !== undefined).join('\n  ') || LOOK};
  };

  const object: RejectionLog['object'] = async (answer, {key, text, message}, signal) => {
    const {turnId} = answer;
    if (!continues()) return await end(answer, {outcome: 'failed', message});
    if (last?.turnId === turnId && last.key === key && !(await last.isChanged(signal)))
      return await end(answer, {outcome: 'blocked', message: `${message} Nothing has changed since it was said.`});
    last = {turnId, key, isChanged: await snapshotTree(signal)};
    emit(harnessEvent(turnId, {event: 'continuation_started', message: `continuing: ${message}`}));
    return {feedback: text};
  };

  return {
    end,
    object,
    async checkFailed(answer, checked, signal) {
      // The loop notices that itself.
      if (checked.state === 'cancelled') return undefined;
      const message = `${describeCheck(checked)}.`;
      if (checked.state === 'denied')
        return await end(answer, {outcome: 'denied', message: `${message} ${checked.output}`, hint: checked.hint});
      failures = {turnId: answer.turnId, count: failures.turnId === answer.turnId ? failures.count + 1 : 1};
      if (failures.count > MAX_FAILURES)
        return await end(answer, {outcome: 'failed', message: `${message} Still failing after ${MAX_FAILURES} attempts.`});
      const key = JSON.stringify([checked.command, checked.state, checked.exitCode]);
      return await object(answer, {key, text: failedCheckText(checked), message}, signal);
    },
  };
}

const MAX_FAILURES = 8;
const LOOK = 'Find out what blocks it (fettle sessions show), then resume the session.';
