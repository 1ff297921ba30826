import {isJsonObject, parseJson} from '../base/json.ts';
import type {Redactor} from '../base/redact.ts';
import type {ThreadEvent} from '../protocol/events.ts';

/**
 * Redacts an event for storage. What a provider gave for itself (`native`: signatures, ids) cannot be changed by halves, so it goes
 * where there is a secret in it; a session that is resumed then sends the item in plain form. Arguments of calls stay JSON.
 */
export function redactEvent<Event extends ThreadEvent>(event: Event, redactor: Redactor): Event {
  return redacted(event, redactor, 0) as Event;
}

const DEEPEST = 100;

function redacted(value: unknown, redactor: Redactor, depth: number): unknown {
  if (!isJsonObject(value) || depth > DEEPEST)
    return Array.isArray(value) ? value.map((item) => redacted(item, redactor, depth + 1)) : redactor.value(value);
  const result: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (key === 'native') {
      if (isUnchanged(field, redactor)) result[key] = field;
    } else if (key === 'arguments' && typeof field === 'string') result[key] = redactJson(field, redactor);
    // Keys of a JSON Schema are names that a tool chose, never ids or `native` data.
    else if (key === 'parameters') result[key] = redactor.value(field);
    else if (isIdentity(key)) result[key] = field;
    else result[redactor.name(key)] = redacted(field, redactor, depth + 1);
  }
  return result;
}

/** Returns true for fields that tie events together and come from Fettle itself. */
function isIdentity(key: string): boolean {
  return key === 'type' || key === 'id' || key.endsWith('_id');
}

function isUnchanged(value: unknown, redactor: Redactor): boolean {
  return redactor.value(value) === value;
}

/** JSON text stays JSON: its strings are looked at one by one. */
function redactJson(text: string, redactor: Redactor): string {
  const parsed = parseJson(text);
  if (parsed === undefined) return redactor.text(text);
  const clean = redactor.value(parsed);
  return clean === parsed ? text : JSON.stringify(clean);
}
