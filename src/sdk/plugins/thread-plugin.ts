import type {PromptJudge} from '../../agent/prompt-judge.ts';
import type {RunResult} from '../../agent/thread.ts';
import type {EndJudge} from '../../agent/turn-end.ts';
import type {TurnContext} from '../../agent/turn-context.ts';
import type {ThreadEvent} from '../../protocol/events.ts';

/** A concern of a thread: the events it receives, and the places where it takes part. The list of plugins decides the order. */
export interface ThreadPlugin {
  /** Used in messages. */
  readonly name: string;
  /** Returns events that precede this one; they pass the later plugins, and then all of them receive it. */
  before?(event: ThreadEvent): readonly ThreadEvent[];
  /** Receives every event unredacted, in the order of the list. Must not throw, unless the turn must not continue. */
  onEvent?(event: ThreadEvent): void;
  /** Receives every event in redacted form; text that may be the beginning of a secret is delayed. */
  onRedactedEvent?(event: ThreadEvent): void;
  /** Wraps the sending of requests; the first of the list is the outermost. */
  wrapRequest?(request: TurnContext['request']): TurnContext['request'];
  /** Wraps the running of calls; the first of the list is the outermost. */
  wrapTools?(run: TurnContext['runTools']): TurnContext['runTools'];
  /**
   * Asked about a prompt from the last of the list to the first, so that one-time texts are only taken if no plugin refuses; the text of the
   * first comes first.
   */
  readonly judgePrompt?: PromptJudge | undefined;
  /** Asked in the order of the list whether an answer may end the turn. */
  readonly judgeEnd?: EndJudge | undefined;
  /** Called when the session is over, before its last event and before anything is closed. */
  close?(result: RunResult | undefined): Promise<void> | void;
}
