import type {ModelRequest, Provider} from '../models/provider.ts';
import type {OutcomeCode, ThreadEvent} from '../protocol/events.ts';
import type {Spending} from './budget.ts';
import type {InputQueue} from './input-queue.ts';
import type {Meter} from './meter.ts';
import type {OpenAttempt} from './open-requests.ts';
import type {PromptJudge} from './prompt-judge.ts';
import type {AnnouncedCall} from './replies/received-reply.ts';
import type {TurnEnd, EndJudge} from './turn-end.ts';

/** The parts of a thread that the loop works with. */
export interface TurnContext {
  readonly threadId: string;
  readonly provider: Provider;
  readonly queue: InputQueue;
  readonly meter: Meter;
  readonly emit: (event: ThreadEvent) => void;
  readonly now: () => number;
  /** The request for the current conversation, which may be compacted first. */
  readonly request: (signal: AbortSignal) => Promise<ModelRequest>;
  /**
   * Asked after a provider refused the request as too long: true if the conversation was shortened and the request is sent again. Absent: it
   * cannot be shortened.
   */
  readonly makeRoom?: ((signal: AbortSignal, windowTokens?: number) => Promise<boolean>) | undefined;
  readonly runTools: (calls: readonly AnnouncedCall[], turnId: string, signal: AbortSignal) => Promise<BatchReport>;
  /** Asked in this order whether a reply without calls may end the turn; the first that does not accept it decides. */
  readonly endJudges: readonly EndJudge[];
  /** Asked about each prompt and input of a person before it goes into the conversation; absent: all do. */
  readonly judgePrompt?: PromptJudge | undefined;
  readonly known?: KnownAtEnd | undefined;
  /** Present if a host can have a request sent again. */
  readonly openAttempt?: OpenAttempt | undefined;
}

/** Facts that the end of a turn depends on, besides the conversation. */
export interface KnownAtEnd {
  /** True if commands that a person named have passed since the last change: a denial on the way is then reported, and no failure. */
  isProven(): boolean;
  /** Lists the rules or modes that would have allowed the denied calls of this turn, or the reasons for denial, one line each. */
  remedies(): readonly string[];
}

export interface BatchReport {
  /** Names of the tools whose call was denied by a rule or a person, or because nobody could be asked. */
  readonly denied: readonly string[];
  /** Set if the identical-call guard stopped a call. */
  readonly loop: string | undefined;
  /** A note for the model besides the results. */
  readonly note?: string | undefined;
  /** Set if a guard or a hook has ended the turn. */
  readonly end?: TurnEnd | undefined;
}

export interface TurnResult {
  readonly outcome: OutcomeCode;
  readonly text: string;
  readonly message: string | undefined;
  readonly hint: string | undefined;
  /** Spending of this turn alone, with what its subagents used. */
  readonly spent: Spending;
  readonly denied: readonly string[];
}

/** Signals that end a run from outside. */
export interface RunState {
  /** Aborts on cancellation and when the time is up; `timeUp` distinguishes the two. */
  readonly signal: AbortSignal;
  readonly timeUp: AbortSignal;
}
