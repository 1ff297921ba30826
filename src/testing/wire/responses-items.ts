import type {JsonObject} from '../../base/json.ts';
import {pieces, tokens, type NamedEvent, type ServedReply} from './server-wire.ts';
import {signatureOf} from './signature.ts';

/** One item of the output: as it is when it is done, and the events that lead there. */
export interface OutputItem {
  readonly item: JsonObject;
  readonly events: readonly NamedEvent[];
}

interface Place {
  readonly index: number;
  readonly id: string;
}

export function reasoningEvents(text: string, {index, id, encrypted}: Place & {readonly encrypted: boolean}): OutputItem {
  const at = {item_id: id, output_index: index, summary_index: 0};
  const begun = {id, type: 'reasoning', summary: []};
  const part = {type: 'summary_text', text};
  const item = {...begun, summary: [part], ...(encrypted ? {encrypted_content: signatureOf(text)} : {})};
  return framed({index, begun, item}, [
    {type: 'response.reasoning_summary_part.added', ...at, part: {type: 'summary_text', text: ''}},
    ...pieces(text).map((delta) => ({type: 'response.reasoning_summary_text.delta', ...at, delta})),
    {type: 'response.reasoning_summary_text.done', ...at, text},
    {type: 'response.reasoning_summary_part.done', ...at, part},
  ]);
}

interface TextPlace extends Place {
  readonly refusal: boolean;
  readonly logprobs: readonly number[];
}

export function messageEvents(text: string, {index, id, refusal, logprobs: probabilities}: TextPlace): OutputItem {
  const at = {item_id: id, output_index: index, content_index: 0};
  const begun = {id, type: 'message', status: 'in_progress', role: 'assistant', content: []};
  const all = tokens(text, probabilities);
  const logprobs = all.flatMap((token) => token.logprobs);
  const partOf = (content: string): JsonObject => {
    if (refusal) return {type: 'refusal', refusal: content};
    return {type: 'output_text', text: content, annotations: [], logprobs: content === '' ? [] : logprobs};
  };
  const kind = refusal ? 'response.refusal' : 'response.output_text';
  const extra = (entries: readonly JsonObject[]): JsonObject => (refusal ? {} : {logprobs: entries});
  return framed({index, begun, item: {...begun, status: 'completed', content: [partOf(text)]}}, [
    {type: 'response.content_part.added', ...at, part: partOf('')},
    ...all.map((token) => ({type: `${kind}.delta`, ...at, delta: token.text, ...extra(token.logprobs)})),
    {type: `${kind}.done`, ...at, [refusal ? 'refusal' : 'text']: text, ...extra(logprobs)},
    {type: 'response.content_part.done', ...at, part: partOf(text)},
  ]);
}

export function callEvents(call: ServedReply['toolCalls'][number], {index, id, callId}: Place & {readonly callId: string}): OutputItem {
  const at = {item_id: id, output_index: index};
  const begun = {id, type: 'function_call', status: 'in_progress', call_id: callId, name: call.name, arguments: ''};
  return framed({index, begun, item: {...begun, status: 'completed', arguments: call.arguments}}, [
    ...pieces(call.arguments).map((delta) => ({type: 'response.function_call_arguments.delta', ...at, delta})),
    {type: 'response.function_call_arguments.done', ...at, arguments: call.arguments},
  ]);
}

function framed({index, begun, item}: {index: number; begun: JsonObject; item: JsonObject}, inner: readonly NamedEvent[]): OutputItem {
  const added = {type: 'response.output_item.added', output_index: index, item: begun};
  return {item, events: [added, ...inner, {type: 'response.output_item.done', output_index: index, item}]};
}
