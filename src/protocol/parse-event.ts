import {FettleError} from '../base/errors.ts';
import {isJsonObject, parseJson, type JsonObject} from '../base/json.ts';
import {KNOWN_EVENTS, ThreadEvent} from './events.ts';
import {KNOWN_ITEMS} from './items.ts';

export type ParsedEvent = {readonly known: true; readonly event: ThreadEvent} | {readonly known: false; readonly event: UnknownEvent};

/** An event (or the item in it) of an unknown type; everything in it is preserved. */
export interface UnknownEvent extends JsonObject {
  readonly type: string;
}

/**
 * Reads one event from its JSON text. Unknown fields stay; an unknown event or item type is returned as it is with `known: false`,
 * so that writing it again loses nothing. A known type with wrong fields is an error: BAD_ARGS.
 */
export function parseEvent(line: string): ParsedEvent {
  const value = parseJson(line);
  if (!isJsonObject(value) || typeof value['type'] !== 'string') {
    throw new FettleError({code: 'BAD_ARGS', message: 'Not an event: a JSON object with a string `type` is needed.'});
  }
  if (!EVENT_TYPES.has(value['type']) || hasUnknownItem(value)) return {known: false, event: value as UnknownEvent};
  const parsed = ThreadEvent.safeParse(value);
  if (parsed.success) return {known: true, event: parsed.data};
  const issue = parsed.error.issues[0];
  const where = issue === undefined ? '' : ` at ${issue.path.join('.')}: ${issue.code}`;
  throw new FettleError({code: 'BAD_ARGS', message: `Event ${value['type']} does not fit the schema${where}.`});
}

function hasUnknownItem(event: JsonObject): boolean {
  const item = event['item'];
  return isJsonObject(item) && typeof item['type'] === 'string' && !ITEM_TYPES.has(item['type']);
}

const EVENT_TYPES = new Set<string>(KNOWN_EVENTS.flatMap((schema) => schema.shape.type.def.values));
const ITEM_TYPES = new Set<string>(KNOWN_ITEMS.flatMap((schema) => schema.shape.type.def.values));
