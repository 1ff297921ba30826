import type {JsonObject} from '../../../base/json.ts';
import type {CompactBoundary, ThreadEvent} from '../../../protocol/events.ts';
import type {RequestFailed} from '../../../protocol/request-events.ts';
import type {ThreadItem} from '../../../protocol/items.ts';
import {createOpenTexts, type OpenTexts} from './open-texts.ts';
import {createResponseCalls, emitWhole} from './response-calls.ts';
import {inputItem, isOwn, ownItem} from './response-items.ts';
import {addRequestUsage, responseObject, type OpenResponse, type ResponseEnd} from './response-object.ts';
import type {ResponseStream} from './response-stream.ts';

/** A response that is being made. */
export interface ResponseTurn {
  readonly response: OpenResponse;
  readonly texts: OpenTexts;
  take(event: ThreadEvent): void;
  finish(end: ResponseEnd): void;
}

export function startResponse(stream: ResponseStream, response: OpenResponse): ResponseTurn {
  const texts = createOpenTexts(stream, response.output);
  const whole = (item: JsonObject): void => emitWhole(stream, response.output, {item, added: {...item, status: 'in_progress'}});
  const calls = createResponseCalls(stream, response.output);

  const takeItem = (item: ThreadItem, finished: boolean): void => {
    if (item.type === 'tool_invocation') calls.take(item);
    else if (item.type === 'agent_message' || item.type === 'reasoning') texts.take(item, finished);
    else if (!finished) return;
    else if (item.type === 'user_message') whole(inputItem(item));
    else if (item.type === 'tool_output') calls.answer(item);
    else if (isOwn(item)) whole(ownItem(item));
  };

  /** Streamed text is already in the output, as an incomplete item. */
  const takeFailed = ({agent, received, message}: RequestFailed): void => {
    if (agent !== undefined || received === undefined || texts.isReported()) return;
    whole({type: 'fettle:interrupted_reply', id: `interrupted_${response.output.length}`, status: 'completed', message, received});
  };

  for (const type of ['response.created', 'response.in_progress']) stream.send(type, {response: responseObject(response)});
  return {
    response,
    texts,
    take(event) {
      if (event.type === 'item.started' || event.type === 'item.completed') takeItem(event.item, event.type === 'item.completed');
      else if (event.type === 'item.updated') texts.grow(event.item_id, event.item_type, event.delta);
      else if (event.type === 'thread.compact_boundary') whole(compactionItem(event, response.output.length));
      else if (event.type === 'request.failed') takeFailed(event);
      else if (event.type === 'request.completed' && event.agent === undefined) {
        response.model = event.model;
        addRequestUsage(response, event.usage);
        response.temperature = event.temperature ?? response.temperature;
        texts.closeReply(event.request_id, calls.isIn(event.request_id) ? 'commentary' : 'final_answer');
      }
    },
    finish(end) {
      const isCut = texts.closeAll(end.status !== 'completed');
      calls.end();
      const ending: ResponseEnd = isCut ? {...end, status: 'incomplete', reason: end.reason ?? end.error?.code ?? 'interrupted'} : end;
      stream.send(`response.${ending.status}`, {response: responseObject(response, ending)});
    },
  };
}

function compactionItem(
  {trigger, mode, original_message_count: before, compacted_message_count: after}: CompactBoundary,
  index: number,
): JsonObject {
  const counts = {original_message_count: before, compacted_message_count: after};
  return {type: 'fettle:compaction', id: `compaction_${index}`, status: 'completed', trigger, mode, ...counts};
}
