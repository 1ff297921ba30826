import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';

/**
 * The JSON text of a request body, byte for byte that of `JSON.stringify`. What stands in the lists of a body (messages, tools), and in lists
 * in them (parts), is remembered for as long as it lives: a request repeats the whole conversation, and only what is new in it is written
 * anew. What was encoded once must not change.
 */
export function bodyText(body: JsonObject): string {
  return fieldsText(body, (value) => listText(value, messageText));
}

/** Some formats put a message together anew each time, of parts that stay the same. */
function messageText(message: Json): string {
  return isJsonObject(message) ? remembered(message, () => fieldsText(message, (value) => listText(value, partText))) : partText(message);
}

function partText(part: Json): string {
  return typeof part === 'object' && part !== null ? remembered(part, () => JSON.stringify(part)) : (JSON.stringify(part) ?? 'null');
}

const known = new WeakMap<object, string>();

function remembered(value: object, write: () => string): string {
  const found = known.get(value);
  if (found !== undefined) return found;
  const text = write();
  known.set(value, text);
  return text;
}

type TextOf = (value: Json) => string;

function listText(value: Json | undefined, textOf: TextOf): string | undefined {
  return Array.isArray(value) ? `[${value.map(textOf).join(',')}]` : JSON.stringify(value);
}

function fieldsText(fields: JsonObject, textOf: (value: Json | undefined) => string | undefined): string {
  const texts: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const text = textOf(value);
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

