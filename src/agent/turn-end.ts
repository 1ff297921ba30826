import type {ModelReply} from '../models/provider.ts';
import type {OutcomeCode} from '../protocol/events.ts';

/** How a turn ends. */
export interface End {
  readonly outcome: OutcomeCode;
  readonly message?: string;
  readonly hint?: string | undefined;
}

/** A final answer that somebody has to accept. */
export interface FinalAnswer {
  readonly text: string;
  readonly turnId: string;
  /** How often this judge has sent an answer of this turn back. */
  readonly objections: number;
}

/** undefined: accepted · sendBack: a text for the model, and the turn goes on · an end: the turn is over, and not as a success. */
export type EndVerdict = undefined | {readonly sendBack: string} | End;

/** Says whether a reply without calls may end the turn: an output schema, verification, a hook. Must not throw. */
export type EndJudge = (answer: FinalAnswer, signal: AbortSignal) => Promise<EndVerdict>;

/** Which judge has sent back how many answers of this turn. */
export type SentBack = ReadonlyMap<EndJudge, number>;

interface Judged extends End {
  /** Set where the turn goes on. */
  readonly sendBack?: string;
  readonly sentBack: SentBack;
}

/** Asks each judge in turn. */
export async function judgeEnd(
  judges: readonly EndJudge[],
  answer: {text: string; turnId: string; sentBack: SentBack},
  signal: AbortSignal,
): Promise<Judged> {
  const {text, turnId, sentBack} = answer;
  for (const judge of judges) {
    const objections = sentBack.get(judge) ?? 0;
    const verdict = await judge({text, turnId, objections}, signal);
    if (verdict === undefined) continue;
    if ('outcome' in verdict) return {...verdict, sentBack};
    return {outcome: 'success', sendBack: verdict.sendBack, sentBack: new Map([...sentBack, [judge, objections + 1]])};
  }
  return {outcome: 'success', sentBack};
}

/** What a reply says about its end; undefined: it came to its end. */
export function replyEnd({stopReason}: ModelReply): End | undefined {
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
