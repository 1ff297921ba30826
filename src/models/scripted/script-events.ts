import type {ModelEvent, ModelReply} from '../provider.ts';

/** A finished reply as the events of a stream: text word by word, then `done`; an abort between two words is the last event. */
export function* replyEvents(reply: ModelReply, signal: AbortSignal): Generator<ModelEvent> {
  for (const event of deltas(reply)) {
    if (signal.aborted) {
      yield {type: 'error', failure: {code: 'CANCELLED', message: 'Cancelled.', retries: reply.retries}};
      return;
    }
    yield event;
  }
  yield {type: 'done', reply};
}

function* deltas({message}: ModelReply): Generator<ModelEvent> {
  let index = 0;
  for (const part of message.parts) {
    if (part.type === 'tool_call') {
      yield {type: 'tool_call', index, id: part.id, name: part.name};
      yield {type: 'tool_arguments', index, delta: part.arguments};
      index += 1;
    } else {
      for (const delta of words(part.text)) yield {type: part.type, delta};
    }
  }
}

/** Each word with the white space after it. */
function words(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\s)(?=\S)/);
}
