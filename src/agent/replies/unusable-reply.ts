import type {TurnEnd} from '../turn-end.ts';
import type {ReceivedReply} from './received-reply.ts';

/** Counts of the faults of replies in a turn so far. */
export interface Faults {
  /** Empty replies in a row. */
  readonly empty: number;
  /** Replies that contained a call as text and were sent back. */
  readonly calls: number;
  /** Replies in a row that the output limit cut. */
  readonly cut: number;
}

export const NO_FAULTS: Faults = {empty: 0, calls: 0, cut: 0};

/** Asks the model again: with `tell`, if it can do something about the problem, else unchanged; `note` is for people. */
export interface AskAgain {
  readonly faults: Faults;
  readonly note: {readonly event: string; readonly message: string};
  readonly tell?: string;
}

/** Handles a reply without calls that is not an answer either: it is requested again, or the turn ends; undefined: it is an answer. */
export function unusableReply(reply: Extract<ReceivedReply, {ok: true}>, faults: Faults): AskAgain | TurnEnd | undefined {
  if (reply.text.trim() === '') return emptyReply(faults);
  return reply.hasUnclearCall ? callInText(faults) : undefined;
}

function emptyReply(faults: Faults): AskAgain | TurnEnd {
  const empty = faults.empty + 1;
  if (empty >= MAX_EMPTY) {
    const message = `The model ended without an answer, ${MAX_EMPTY} times in a row.`;
    return {outcome: 'failed', message, hint: 'Try again, or another model.'};
  }
  return {faults: {...faults, empty}, note: {event: 'empty_reply', message: 'The reply of the model was empty. Asking again.'}};
}

const MAX_EMPTY = 3;

function callInText(faults: Faults): AskAgain | TurnEnd {
  if (faults.calls > 0) {
    return {
      outcome: 'failed',
      message: 'The model wrote a tool call as text again; it was not run.',
      hint: 'Switch on the tool-call parser of the server (vLLM: --enable-auto-tool-choice, llama.cpp: --jinja), or use another model.',
    };
  }
  const note = {event: 'call_sent_back', message: 'The model wrote a tool call as text; it was not run, and the model is told.'};
  return {faults: {empty: 0, calls: faults.calls + 1, cut: 0}, note, tell: CALL_AS_TEXT};
}

/** For the model. */
const CALL_AS_TEXT = 'Your reply held a tool call written as text. It was not run. Call the tool through the API, or answer in words.';
