import {isDeeperThan, isJsonObject, type Json, type JsonObject} from '../base/json.ts';

/**
 * Describes what is wrong with an event of a log; undefined: readers can rely on the types of its fields. A log may come from a broken disk,
 * another program or an attacker. Checks the types of the fields that readers use; unknown fields pass.
 */
export function misshapen(event: JsonObject, lineLength: number): string | undefined {
  // What is nested without end ends whoever walks through it. A short line cannot be nested that deep.
  if (lineLength > SHORT_LINE && isDeeperThan(event, MOST_LEVELS)) return `nested more than ${MOST_LEVELS} levels deep`;
  const type = textOf(event['type']);
  const item = event['item'];
  if (ITEM_EVENTS.has(type) && !isItem(item)) return 'an item without id and type';
  if (isJsonObject(item) && !fits(item, shapeOf(ITEMS, textOf(item['type'])))) return `an item ${textOf(item['type'])} that is none`;
  if (!fits(event, shapeOf(EVENTS, type))) return `an event ${type} that is none`;
  if (type === 'request.failed' && !isTextOrAbsent(event['received'])) return 'a failed request that received no text';
  return type === 'thread.compact_boundary' && !areMessages(event['messages']) ? 'a boundary with messages that are none' : undefined;
}

const SHORT_LINE = 1000;
const MOST_LEVELS = 200;
const ITEM_EVENTS: ReadonlySet<string> = new Set(['item.started', 'item.completed', 'item.updated']);

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isItem(item: Json | undefined): boolean {
  return isJsonObject(item) && typeof item['id'] === 'string' && typeof item['type'] === 'string' && isTextOrAbsent(item['request_id']);
}

function shapeOf(shapes: Readonly<Record<string, Shape>>, type: string): Shape | undefined {
  return Object.hasOwn(shapes, type) ? shapes[type] : undefined;
}

interface Shape {
  readonly texts?: readonly string[];
  /** Lists of objects; `ofTexts`: of texts. */
  readonly lists?: readonly string[];
  readonly ofTexts?: readonly string[];
  readonly objects?: readonly string[];
}

const SAID: Shape = {texts: ['text']};

const ITEMS: Readonly<Record<string, Shape>> = {
  user_message: SAID,
  agent_message: SAID,
  reasoning: SAID,
  plan: SAID,
  tool_invocation: {texts: ['tool_name', 'tool_call_id', 'arguments']},
  tool_output: {texts: ['call_id', 'tool_name', 'output']},
  command_execution: {texts: ['command']},
  file_change: {lists: ['changes']},
  todo_list: {lists: ['items']},
  harness: {texts: ['event']},
};

const EVENTS: Readonly<Record<string, Shape>> = {
  'thread.started': {texts: ['thread_id']},
  'thread.frame': {texts: ['system'], lists: ['tools']},
  'turn.started': {texts: ['turn_id']},
  'request.completed': {objects: ['usage']},
  'request.failed': {texts: ['message'], objects: ['usage']},
  'thread.rewound': {texts: ['to', 'checkpoint_id']},
  'checkpoint.completed': {ofTexts: ['notes']},
  'input.queued': {texts: ['input_id', 'text']},
};

function fits(value: JsonObject, {texts = [], lists = [], ofTexts = [], objects = []}: Shape = {}): boolean {
  return (
    texts.every((name) => typeof value[name] === 'string') &&
    lists.every((name) => isListOf(value[name], isJsonObject)) &&
    ofTexts.every((name) => isListOf(value[name], (one) => typeof one === 'string')) &&
    objects.every((name) => isJsonObject(value[name]))
  );
}

/** Messages of the conversation (protocol/messages.ts), as far as their readers go into them. */
function areMessages(messages: Json | undefined): boolean {
  return messages === undefined || isListOf(messages, isMessage);
}

function isMessage(message: Json): boolean {
  if (!isJsonObject(message)) return false;
  const {role, text, parts, results} = message;
  if (role === 'user') return typeof text === 'string';
  if (role === 'assistant') return isListOf(parts, (part) => isJsonObject(part) && typeof part['type'] === 'string');
  return role === 'tool' && isListOf(results, (result) => isJsonObject(result) && typeof result['text'] === 'string');
}

function isListOf(value: Json | undefined, isOne: (one: Json) => boolean): boolean {
  return Array.isArray(value) && (value as readonly Json[]).every(isOne);
}

function isTextOrAbsent(value: Json | undefined): boolean {
  return value === undefined || typeof value === 'string';
}
