import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';

/**
 * The JSON text of a request body in UTF-8, byte for byte what `JSON.stringify` gives. What stands in the lists of a body (messages, tools)
 * is remembered for as long as it lives: a request repeats the whole conversation, and only what is new in it is written anew. What was
 * encoded once must not change.
 */
export function bodyBytes(body: JsonObject): Buffer {
  const pieces: Buffer[] = [];
  let before = '{';
  for (const [name, value] of Object.entries(body)) {
    const text = Array.isArray(value) ? '[' : JSON.stringify(value);
    if (text === undefined) continue;
    pieces.push(Buffer.from(`${before}${JSON.stringify(name)}:${text}`));
    before = ',';
    if (!Array.isArray(value)) continue;
    for (const element of listBytes(value)) pieces.push(element);
    pieces.push(END_OF_LIST);
  }
  return Buffer.concat([...pieces, Buffer.from(before === '{' ? '{}' : '}')]);
}

const END_OF_LIST = Buffer.from(']');

/** Each with the comma before it, but for the first. */
function listBytes(list: readonly Json[]): Buffer[] {
  return list.map((element, index) => {
    const bytes = isObject(element) ? remembered(BYTES, element, elementBytes) : Buffer.from(`,${JSON.stringify(element) ?? 'null'}`);
    return index === 0 ? bytes.subarray(1) : bytes;
  });
}

function elementBytes(element: object): Buffer {
  return Buffer.from(`,${isJsonObject(element) ? messageText(element) : JSON.stringify(element)}`);
}

/** Some formats put a message together anew each time, of parts that stay the same. */
function messageText(message: JsonObject): string {
  const texts: string[] = [];
  for (const [name, value] of Object.entries(message)) {
    const text = Array.isArray(value) ? `[${value.map(partText).join(',')}]` : JSON.stringify(value);
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

function partText(part: Json): string {
  return isObject(part) ? remembered(TEXTS, part, JSON.stringify) : (JSON.stringify(part) ?? 'null');
}

const BYTES = new WeakMap<object, Buffer>();
const TEXTS = new WeakMap<object, string>();

function remembered<Written>(known: WeakMap<object, Written>, value: object, write: (value: object) => Written): Written {
  const found = known.get(value);
  if (found !== undefined) return found;
  const written = write(value);
  known.set(value, written);
  return written;
}

function isObject(value: Json): value is JsonObject | readonly Json[] {
  return typeof value === 'object' && value !== null;
}
