import type {JsonObject} from '../../../base/json.ts';
import type {AgentMessageItem, ReasoningItem} from '../../../protocol/items.ts';
import {textItem, textPart, type ItemStatus, type TextState} from './response-items.ts';
import type {ResponseStream} from './response-stream.ts';

/** The messages and reasoning texts of a response that are still open. */
export interface OpenTexts {
  take(item: AgentMessageItem | ReasoningItem, finished: boolean): void;
  grow(itemId: string, itemType: string, delta: string): void;
  /** The reply is complete: its open texts are closed. */
  closeReply(requestId: string, phase: 'commentary' | 'final_answer'): void;
  /** Closes the open texts; true if the last one was incomplete, and `cut` says that this counts. */
  closeAll(cut: boolean): boolean;
  /** True if an open text was reported. */
  isReported(): boolean;
}

/**
 * An item is added with its first piece of text, so that what a retry voids before it says anything leaves no trace; it is done when its
 * reply is, because only then its phase is known.
 */
export function createOpenTexts(stream: ResponseStream, output: JsonObject[]): OpenTexts {
  const open = new Map<string, OpenText>();
  const done = new Set<string>();
  const emitter = createEmitter(stream, output);

  const find = (id: string, type: OpenText['type']): OpenText | undefined => {
    if (done.has(id)) return undefined;
    const text = open.get(id) ?? {id, type, text: '', index: undefined, requestId: undefined, isWhole: false};
    open.set(id, text);
    return text;
  };
  const close = (text: OpenText, status: ItemStatus, phase?: TextState['phase']): void => {
    open.delete(text.id);
    done.add(text.id);
    emitter.end(text, status, phase);
  };

  return {
    take(item, finished) {
      const text = find(item.id, item.type);
      if (text === undefined) return;
      text.requestId ??= item.request_id;
      if (!finished) return;
      text.isWhole = true;
      // Reported text cannot be taken back.
      if (item.text.startsWith(text.text)) emitter.say(text, item.text.slice(text.text.length));
      if (text.index === undefined && item.native === undefined) open.delete(item.id);
      else if (item.request_id === undefined) close(text, 'completed');
    },
    grow(itemId, itemType, delta) {
      if (itemType !== 'agent_message' && itemType !== 'reasoning') return;
      const text = find(itemId, itemType);
      if (text !== undefined && !text.isWhole) emitter.say(text, delta);
    },
    closeReply(requestId, phase) {
      for (const text of [...open.values()].filter((one) => one.requestId === requestId)) {
        if (isDue(text)) close(text, 'completed', phase);
        else open.delete(text.id);
      }
    },
    closeAll(cut) {
      const due = [...open.values()].filter(isDue);
      const isCut = cut && due.at(-1)?.isWhole === false;
      for (const [at, text] of due.entries()) close(text, isCut && at === due.length - 1 ? 'incomplete' : 'completed');
      open.clear();
      return isCut;
    },
    isReported: () => [...open.values()].some(({index}) => index !== undefined),
  };
}

function isDue({isWhole, index}: OpenText): boolean {
  return isWhole || index !== undefined;
}

interface OpenText {
  readonly id: string;
  readonly type: TextState['type'];
  text: string;
  /** In the output; undefined: not added yet. */
  index: number | undefined;
  requestId: string | undefined;
  isWhole: boolean;
}

/** Sends the events of a text. */
interface Emitter {
  say(text: OpenText, delta: string): void;
  end(text: OpenText, status: ItemStatus, phase: TextState['phase']): void;
}

function createEmitter(stream: ResponseStream, output: JsonObject[]): Emitter {
  const placeOf = (text: OpenText): JsonObject & {output_index: number} => {
    if (text.index === undefined) {
      const item = textItem({...text, text: '', status: 'in_progress'});
      text.index = output.push(item) - 1;
      stream.send('response.output_item.added', {output_index: text.index, item});
    }
    return {item_id: text.id, output_index: text.index, content_index: 0};
  };

  return {
    say(text, delta) {
      if (delta === '') return;
      const place = placeOf(text);
      if (text.text === '') stream.send('response.content_part.added', {...place, part: textPart(text.type, '')});
      text.text += delta;
      if (text.type === 'reasoning') stream.send('response.reasoning.delta', {...place, delta});
      else stream.send('response.output_text.delta', {...place, delta, logprobs: []});
    },
    end(text, status, phase) {
      const place = placeOf(text);
      if (text.text !== '') {
        if (text.type === 'reasoning') stream.send('response.reasoning.done', {...place, text: text.text});
        else stream.send('response.output_text.done', {...place, text: text.text, logprobs: []});
        stream.send('response.content_part.done', {...place, part: textPart(text.type, text.text)});
      }
      const item = textItem({...text, status, phase: text.type === 'reasoning' ? undefined : phase});
      output[place.output_index] = item;
      stream.send('response.output_item.done', {output_index: place.output_index, item});
    },
  };
}
