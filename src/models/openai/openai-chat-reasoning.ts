import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {ReasoningPart} from '../../protocol/messages.ts';
import {listOf, numberOf, objectOf, stringOf} from '../json-fields.ts';

/** Collects the reasoning of one reply. Chat Completions has no field for it; servers have invented four. */
export interface ReasoningLog {
  /** Takes the reasoning in a delta; returns the text to show. */
  add(delta: JsonObject): string;
  /** The reasoning as it goes back to the same server: in the fields in which it came. */
  part(): ReasoningPart | undefined;
}

export function createReasoningLog(): ReasoningLog {
  const texts = new Map<string, string>();
  const details: JsonObject[] = [];
  let shown = '';
  let thinking = '';
  return {
    add(delta) {
      for (const field of TEXT_FIELDS) {
        const text = stringOf(delta[field]);
        if (text !== '') texts.set(field, (texts.get(field) ?? '') + text);
      }
      const chunks = listOf(delta['reasoning_details']).filter(isJsonObject);
      for (const chunk of chunks) addDetail(details, chunk);
      const thought = thinkingText(delta['content']);
      thinking += thought;
      const text =
        TEXT_FIELDS.map((field) => stringOf(delta[field])).find((value) => value !== '') ?? (chunks.map(detailText).join('') || thought);
      shown += text;
      return text;
    },
    part() {
      const data: JsonObject = {
        ...Object.fromEntries(texts),
        ...(details.length === 0 ? {} : {reasoning_details: details}),
        ...(thinking === '' ? {} : {thinking_chunk: {type: 'thinking', thinking: [{type: 'text', text: thinking}]}}),
      };
      return Object.keys(data).length === 0 ? undefined : {type: 'reasoning', text: shown, native: {format: 'openai-chat', data}};
    },
  };
}

/** DeepSeek, vLLM, llama.cpp, LM Studio · OpenRouter, Ollama, newer vLLM. */
const TEXT_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** OpenRouter streams `reasoning_details` in pieces: neighbours of one index and type are one block; encrypted data comes whole. */
function addDetail(details: JsonObject[], piece: JsonObject): void {
  const last = details.at(-1);
  const continues = last !== undefined && last['type'] === piece['type'] && numberOf(last['index']) === numberOf(piece['index']);
  if (!continues || piece['data'] !== undefined) {
    details.push(piece);
    return;
  }
  const fields = Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null));
  const merged = DETAIL_TEXTS.filter((field) => typeof piece[field] === 'string').map((field) => [
    field,
    stringOf(last[field]) + stringOf(piece[field]),
  ]);
  details[details.length - 1] = {...last, ...fields, ...Object.fromEntries(merged)};
}

const DETAIL_TEXTS = ['text', 'summary'] as const;

function detailText(piece: JsonObject): string {
  return DETAIL_TEXTS.map((field) => stringOf(piece[field])).join('');
}

/** Mistral: chunks of type `thinking` in a content that is a list. */
function thinkingText(content: Json | undefined): string {
  return listOf(content)
    .filter((chunk) => objectOf(chunk)['type'] === 'thinking')
    .flatMap((chunk) => listOf(objectOf(chunk)['thinking']).map((piece) => stringOf(objectOf(piece)['text'])))
    .join('');
}
