import type {JsonObject} from '../../../base/json.ts';
import type {ThreadEvent, TurnCompleted, TurnFailed} from '../../../protocol/events.ts';
import {createResponseChain} from './response-chain.ts';
import {isCutShort, type ResponseEnd} from './response-object.ts';
import {createResponseStream} from './response-stream.ts';
import {startResponse, type ResponseTurn} from './response-turn.ts';

/** Turns the events of a thread into those of Open Responses streams. */
export interface ResponsesEmitter {
  /** `at`: milliseconds since 1970. */
  take(event: ThreadEvent, at: number): void;
  /** Nothing more comes: a response that is open was interrupted. */
  end(): void;
}

/**
 * The events of a thread as streaming events of Open Responses (specification 2026-04-24): a response for each turn, from `response.created`
 * to exactly one of `response.completed`, `.failed` and `.incomplete`; for each item `output_item.added`, its parts and deltas, then
 * `output_item.done`. If a retry voids text that was already emitted, the response ends as incomplete (`retried`) and the turn continues in
 * another one: an incomplete item must be the last of an incomplete response. `sequence_number` rises over all of them.
 */
export function createResponsesEmitter(emit: (event: JsonObject) => void): ResponsesEmitter {
  const stream = createResponseStream(emit);
  const chain = createResponseChain();
  let open: ResponseTurn | undefined;

  const begin = (turnId: string, at: number): void => {
    open = startResponse(stream, chain.next(turnId, seconds(at)));
  };
  const finish = (end: ResponseEnd): void => {
    open?.finish(end);
    open = undefined;
  };
  /** Passes an event on to the open response. If the log lacks the start of a turn, its first item begins the response. */
  const pass = (event: ThreadEvent, at: number): void => {
    if (isRetry(event) && open?.texts.isReported() === true) {
      const {turnId} = open.response;
      finish({status: 'incomplete', completedAt: null, reason: 'retried'});
      begin(turnId, at);
    }
    const isItem = event.type === 'item.started' || event.type === 'item.completed';
    if (open === undefined && isItem && event.turn_id !== undefined) begin(event.turn_id, at);
    open?.take(event);
  };

  return {
    take(event, at) {
      switch (event.type) {
        case 'thread.started':
          chain.start(event);
          break;
        case 'turn.started':
          finish(INTERRUPTED);
          begin(event.turn_id, at);
          break;
        case 'turn.completed':
        case 'turn.failed':
          finish(endOf(event, at));
          break;
        case 'thread.rewound':
          finish(INTERRUPTED);
          chain.rewind(event);
          break;
        default:
          pass(event, at);
      }
    },
    end: () => finish(INTERRUPTED),
  };
}

const INTERRUPTED: ResponseEnd = {status: 'incomplete', completedAt: null, reason: 'interrupted'};

function isRetry(event: ThreadEvent): boolean {
  return event.type === 'item.completed' && event.item.type === 'harness' && event.item.event === 'model_retry';
}

function endOf(event: TurnCompleted | TurnFailed, at: number): ResponseEnd {
  if (event.type === 'turn.completed') return {status: 'completed', completedAt: seconds(at)};
  const {outcome_code: code, message} = event;
  if (isCutShort(code)) return {status: 'incomplete', completedAt: null, reason: code};
  return {status: 'failed', completedAt: null, error: {code, message}};
}

function seconds(ms: number): number {
  return Number.isFinite(ms) ? Math.floor(ms / 1000) : 0;
}
