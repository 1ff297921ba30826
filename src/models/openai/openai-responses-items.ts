import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {AssistantPart, NativePart} from '../../protocol/messages.ts';
import {listOf, objectOf, stringOf} from '../json-fields.ts';
import type {WireDecoder} from '../wire.ts';

type Shown = ReturnType<WireDecoder['push']>;

/** The output items of one response while they grow. */
export interface ItemLog {
  /** An event about an item or a part of one; others are dropped. */
  read(type: string, event: JsonObject): Shown;
  /** The response ended; `output` fills in items that no event contained. */
  complete(output: readonly Json[]): Shown;
  /** The finished items in order, each as the server sent it. */
  items(): readonly JsonObject[];
}

interface Slot {
  item: JsonObject;
  /** Place among the tool calls of the response; -1 for other items. */
  readonly callIndex: number;
  isDone: boolean;
  /** True once a delta of its text or arguments was shown. */
  isShown: boolean;
}

export function createItemLog(): ItemLog {
  const slots = new Map<string, Slot>();
  const moved = new Map<string, string>();
  let calls = 0;

  /** The slot of an event. A second item under the number of a finished one: the server gives every item the same number. */
  const keyOf = (type: string, event: JsonObject): string => {
    const key = explicitKey(event);
    const known = slots.get(moved.get(key) ?? key);
    const id = stringOf(objectOf(event['item'])['id']);
    const isAnother = type === 'response.output_item.added' && known?.isDone === true && id !== '' && id !== known.item['id'];
    if (isAnother) moved.set(key, `${key}#${slots.size}`);
    return moved.get(key) ?? key;
  };

  const add = (key: string, item: JsonObject): {slot: Slot; shown: Shown} => {
    const known = slots.get(key);
    if (known !== undefined) return {slot: known, shown: []};
    const isCall = item['type'] === 'function_call';
    const slot: Slot = {item, callIndex: isCall ? calls++ : -1, isDone: false, isShown: false};
    slots.set(key, slot);
    const start = {type: 'tool_call', index: slot.callIndex, id: callId(item), name: stringOf(item['name'])} as const;
    return {slot, shown: isCall ? [start] : []};
  };

  const finish = (key: string, item: JsonObject): Shown => {
    const {slot, shown} = add(key, item);
    if (slot.isDone) return shown;
    slot.item = item;
    slot.isDone = true;
    return slot.isShown ? shown : [...shown, ...wholeText(slot)];
  };

  const grow = (key: string, show: (slot: Slot) => Shown): Shown => {
    const {slot} = add(key, {});
    const shown = show(slot);
    if (shown.length > 0) slot.isShown = true;
    return shown;
  };

  return {
    read(type, event) {
      const key = keyOf(type, event);
      if (type === 'response.output_item.added') return add(key, objectOf(event['item'])).shown;
      if (type === 'response.output_item.done') return finish(key, objectOf(event['item']));
      const show = DELTAS[type];
      // Arguments of a call whose name is not known yet: the finished item brings them all.
      if (show === undefined || (show === callArguments && !slots.has(key))) return [];
      return grow(key, (slot) => show(event, slot));
    },
    complete: (output) => {
      if (slots.size > 0 && [...slots.values()].every(({isDone}) => isDone)) return [];
      return output.filter(isJsonObject).flatMap((item, index) => {
        const id = stringOf(item['id']);
        return finish(slots.has(id) ? id : String(index), item);
      });
    },
    items: () => [...slots.values()].filter(({isDone}) => isDone).map(({item}) => item),
  };
}

function explicitKey(event: JsonObject): string {
  const index = event['output_index'];
  return typeof index === 'number' ? String(index) : stringOf(event['item_id']) || stringOf(objectOf(event['item'])['id']);
}

function callId(item: JsonObject): string {
  return stringOf(item['call_id']) || stringOf(item['id']);
}

const text = (event: JsonObject): Shown => nonEmpty('text', event['delta']);
const reasoning = (event: JsonObject): Shown => nonEmpty('reasoning', event['delta']);
const callArguments = (event: JsonObject, {callIndex}: Slot): Shown => argumentsOf(callIndex, event['delta']);

/** Parts of events that are shown at once. `reasoning_text` is the name at OpenAI, `reasoning` in the specification. */
const DELTAS: Readonly<Record<string, (event: JsonObject, slot: Slot) => Shown>> = {
  'response.output_text.delta': text,
  'response.refusal.delta': text,
  'response.reasoning_summary_text.delta': reasoning,
  'response.reasoning_text.delta': reasoning,
  'response.reasoning.delta': reasoning,
  'response.reasoning_summary_part.added': (_event, {isShown}) => (isShown ? [{type: 'reasoning', delta: '\n\n'}] : []),
  'response.function_call_arguments.delta': callArguments,
};

function nonEmpty(type: 'text' | 'reasoning', value: Json | undefined): Shown {
  const delta = stringOf(value);
  return delta === '' ? [] : [{type, delta}];
}

function argumentsOf(index: number, value: Json | undefined): Shown {
  const delta = stringOf(value);
  return delta === '' || index < 0 ? [] : [{type: 'tool_arguments', index, delta}];
}

/** Takes an item at once, if the server sent no deltas for it. */
function wholeText({item, callIndex}: Slot): Shown {
  const part = toPart(item);
  return part.type === 'tool_call' ? argumentsOf(callIndex, part.arguments) : nonEmpty(part.type, part.text);
}

/** An item as a part of the message. An item that is neither text nor call travels as reasoning without text: it only has to be sent back. */
export function toPart(item: JsonObject): AssistantPart {
  const native: NativePart = {format: 'openai-responses', data: item};
  if (item['type'] === 'function_call') {
    return {type: 'tool_call', id: callId(item), name: stringOf(item['name']), arguments: stringOf(item['arguments']), native};
  }
  // A compacted conversation also contains the words of the person.
  if (item['type'] === 'message' && item['role'] !== 'user') return {type: 'text', text: joined(item['content'], ''), native};
  const summary = joined(item['summary'], '\n\n');
  return {type: 'reasoning', text: item['type'] === 'reasoning' ? summary || joined(item['content'], '\n\n') : '', native};
}

function joined(pieces: Json | undefined, separator: string): string {
  return listOf(pieces)
    .map((piece) => stringOf(objectOf(piece)['text']) || stringOf(objectOf(piece)['refusal']))
    .join(separator);
}
