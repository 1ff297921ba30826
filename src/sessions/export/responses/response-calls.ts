import type {JsonObject} from '../../../base/json.ts';
import type {ToolInvocationItem, ToolOutputItem} from '../../../protocol/items.ts';
import {NO_RESULT} from '../../history.ts';
import {callItem, callOutputItem, type CallState} from './response-items.ts';
import type {ResponseStream} from './response-stream.ts';

/** The tool calls of a response and their results. */
export interface ResponseCalls {
  take(item: ToolInvocationItem): void;
  answer(item: ToolOutputItem): void;
  /** True if the reply has calls. */
  isIn(requestId: string): boolean;
  /** A call that was cut off gets a result that says so. */
  end(): void;
}

export function createResponseCalls(stream: ResponseStream, output: JsonObject[]): ResponseCalls {
  const calls = new Map<string, CallState>();
  const answered = new Set<string>();
  const replies = new Set<string | undefined>();

  const emitResult = (id: string, {id: itemId, callId}: CallState, text: string): void => {
    answered.add(itemId);
    const item = callOutputItem(id, callId, text);
    emitWhole(stream, output, {item, added: {...item, status: 'in_progress'}});
  };

  return {
    take(item) {
      if (calls.has(item.id)) return;
      const call = {id: item.id, callId: unusedId(item, calls), name: item.tool_name, arguments: item.arguments};
      calls.set(item.id, call);
      replies.add(item.request_id);
      emitWhole(stream, output, {item: callItem(call, 'completed'), added: callItem({...call, arguments: ''}, 'in_progress')});
    },
    answer(item) {
      const waiting = [...calls.values()].filter(({id}) => !answered.has(id));
      const call = waiting.find(({id}) => id === item.call_id) ?? waiting.find(({callId}) => callId === item.tool_call_id);
      if (call !== undefined) emitResult(item.id, call, item.output);
    },
    isIn: (requestId) => replies.has(requestId),
    end() {
      for (const call of calls.values()) if (!answered.has(call.id)) emitResult(`${call.id}:output`, call, NO_RESULT);
    },
  };
}

/** An item that is complete when it is reported, and its first form. */
export function emitWhole(stream: ResponseStream, output: JsonObject[], {item, added}: {item: JsonObject; added: JsonObject}): void {
  const index = output.push(item) - 1;
  stream.send('response.output_item.added', {output_index: index, item: added});
  if (item['type'] === 'function_call') {
    const place = {item_id: item['id'], output_index: index};
    stream.send('response.function_call_arguments.delta', {...place, delta: item['arguments']});
    stream.send('response.function_call_arguments.done', {...place, arguments: item['arguments']});
  }
  stream.send('response.output_item.done', {output_index: index, item});
}

/** Ids of calls must differ within a response; if a provider repeated one, the id of the item is used. */
function unusedId({tool_call_id: modelCallId, id: itemId}: ToolInvocationItem, calls: ReadonlyMap<string, CallState>): string {
  const taken = new Set([...calls.values()].map(({callId}) => callId));
  let id = modelCallId === '' || taken.has(modelCallId) ? itemId : modelCallId;
  while (taken.has(id)) id = `${id}+`;
  return id;
}
