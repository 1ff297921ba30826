import type {ModelReply} from '../models/provider.ts';
import type {OutcomeCode} from '../protocol/events.ts';

/** The end of a turn. */
export interface TurnEnd {
  readonly outcome: OutcomeCode;
  readonly message?: string;
  readonly hint?: string | undefined;
}

/** A final answer that has to be accepted. */
export interface FinalAnswer {
  readonly text: string;
  readonly turnId: string;
  /** The number of times that this judge has sent an answer of this turn back. */
  readonly rejections: number;
}

/** undefined: accepted · sendBack: a text for the model, and the turn goes on · an end: the turn is over, and not as a success. */
export type EndVerdict = undefined | {readonly feedback: string} | TurnEnd;

/** Decides whether a reply without calls may end the turn: an output schema, verification, a hook. Must not throw. */
export type EndJudge = (answer: FinalAnswer, signal: AbortSignal) => Promise<EndVerdict>;

/** The number of answers of this turn that each judge has sent back. */
export type Rejections = ReadonlyMap<EndJudge, number>;

interface Judged extends TurnEnd {
  /** Set if the turn goes on. */
  readonly feedback?: string;
  readonly rejected: Rejections;
}

/** Asks each judge in turn. */
export async function judgeEnd(
  judges: readonly EndJudge[],
  answer: {text: string; turnId: string; rejected: Rejections},
  signal: AbortSignal,
): Promise<Judged> {
  const {text, turnId, rejected} = answer;
  for (const judge of judges) {
    const rejections = rejected.get(judge) ?? 0;
    const verdict = await judge({text, turnId, rejections}, signal);
    if (verdict === undefined) continue;
    if ('outcome' in verdict) return {...verdict, rejected};
    return {outcome: 'success', feedback: verdict.feedback, rejected: new Map([...rejected, [judge, rejections + 1]])};
  }
  return {outcome: 'success', rejected};
}

/** Returns the end that a reply itself reports; undefined: it was complete. */
export function replyEnd({stopReason}: ModelReply): TurnEnd | undefined {
  if (stopReason === 'max_tokens') {
    return {
      outcome: 'token_limit_reached',
      message: 'The answer was cut off: the model reached its output limit.',
      hint: 'Ask for less at once.',
    };
  }
  if (stopReason === 'refusal') return {outcome: 'failed', message: 'The model refused to answer.'};
  return undefined;
}
