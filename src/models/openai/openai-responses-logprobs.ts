import {isJsonObject, type JsonObject} from '../../base/json.ts';
import {listOf} from '../json-fields.ts';
import {addLogprobs} from '../logprobs.ts';

/** The log probabilities of one response. They come up to three times: with deltas, with whole texts, and in the finished items. */
export interface LogprobLog {
  read(type: string, event: JsonObject): void;
  /** All of them, in order: servers fill only some of the three places, so the longest list counts. */
  reported(items: readonly JsonObject[]): readonly number[];
}

export function createLogprobLog(): LogprobLog {
  const ofDeltas: number[] = [];
  const ofTexts: number[] = [];
  return {
    read(type, event) {
      if (type === 'response.output_text.delta') addLogprobs(ofDeltas, event['logprobs']);
      if (type === 'response.output_text.done') addLogprobs(ofTexts, event['logprobs']);
    },
    reported(items) {
      const ofItems: number[] = [];
      for (const piece of items.flatMap(({content}) => listOf(content).filter(isJsonObject))) addLogprobs(ofItems, piece['logprobs']);
      return [ofItems, ofTexts, ofDeltas].reduce((longest, list) => (list.length > longest.length ? list : longest));
    },
  };
}

/** An item goes back with each later request and is in the log: its log probabilities would be paid for again and again. */
export function withoutLogprobs(item: JsonObject): JsonObject {
  const content = listOf(item['content']);
  if (!content.some(hasLogprobs)) return item;
  return {...item, content: content.map((piece) => (hasLogprobs(piece) ? {...piece, logprobs: []} : piece))};
}

function hasLogprobs(piece: unknown): piece is JsonObject {
  return isJsonObject(piece) && listOf(piece['logprobs']).length > 0;
}
