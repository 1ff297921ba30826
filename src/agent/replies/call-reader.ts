import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {readLenientJson} from '../../tools/arguments/lenient-json.ts';

/** A position in a text that moves forward as calls are read. */
export interface Reader {
  readonly text: string;
  at: number;
}

/** A call as a model wrote it into its text. */
export interface RawCall {
  readonly name: string;
  readonly fields: JsonObject;
}

/** Reads from the current position. Returns undefined if there is no such call; the position is then undefined, too. */
export type ReadCalls = (reader: Reader) => readonly RawCall[] | undefined;

/** Takes the match of a sticky pattern at the current position. */
export function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found === null) return undefined;
  reader.at += found[0].length;
  return found;
}

/** Takes everything before the next match of a global pattern, and the match itself; undefined if there is no match. */
export function takeUntil(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found === null) return undefined;
  const before = reader.text.slice(reader.at, found.index);
  reader.at = found.index + found[0].length;
  return before;
}

/** Takes one JSON object or list. */
export function takeJson(reader: Reader): Json | undefined {
  take(reader, /\s*/y);
  const end = endOfJson(reader);
  if (end === undefined) return undefined;
  const text = reader.text.slice(reader.at, end);
  reader.at = end;
  return jsonIn(text);
}

/** Parses JSON text, repairing mistakes of a model that have only one meaning. */
export function jsonIn(text: string): Json | undefined {
  try {
    return readLenientJson(text).value;
  } catch {
    return undefined;
  }
}

/** Takes one or more. */
export function many(reader: Reader, read: ReadCalls): readonly RawCall[] | undefined {
  const calls: RawCall[] = [];
  for (;;) {
    const start = reader.at;
    take(reader, /[\s,;]*/y);
    const more = reader.at < reader.text.length ? read(reader) : undefined;
    if (more === undefined) {
      reader.at = start;
      return calls.length === 0 ? undefined : calls;
    }
    calls.push(...more);
  }
}

/** Returns the calls that a JSON value describes; undefined if it is anything else. `strict`: arguments are required. */
export function callsIn(value: Json | undefined, strict = false): readonly RawCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map((one) => callIn(one as Json, strict));
    return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
  }
  if (isJsonObject(value) && Array.isArray(value.tool_calls) && Object.keys(value).length === 1)
    return callsIn(value.tool_calls as Json, strict);
  const call = callIn(value, strict);
  return call === undefined ? undefined : [call];
}

function callIn(value: Json | undefined, strict: boolean): RawCall | undefined {
  if (!isJsonObject(value)) return undefined;
  if (isJsonObject(value.function) && Object.keys(value).every((key) => key === 'function' || BESIDE.has(key)))
    return callIn(value.function, strict);
  const [name, ...otherNames] = NAMES.flatMap((key) => (typeof value[key] === 'string' ? [{key, text: value[key]}] : []));
  const [fieldsKey, ...otherFields] = FIELDS.filter((key) => value[key] !== undefined);
  if (name === undefined || otherNames.length + otherFields.length > 0 || (strict && fieldsKey === undefined)) return undefined;
  if (Object.keys(value).some((key) => key !== name.key && key !== fieldsKey && !BESIDE.has(key))) return undefined;
  const args = fieldsKey === undefined ? {} : value[fieldsKey];
  const fields = typeof args === 'string' ? jsonIn(args) : args;
  return isJsonObject(fields) ? {name: name.text, fields} : undefined;
}

const NAMES = ['name', 'tool_name', 'tool', 'function', 'action', 'function_name'] as const;
const FIELDS = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input', 'params'] as const;
const BESIDE: ReadonlySet<string> = new Set(['id', 'type', 'tool_call_id', 'call_id', 'index']);

/** Finds the end of JSON that begins with a bracket: the position of the matching closing bracket, outside of strings. */
function endOfJson({text, at}: Reader): number | undefined {
  if (text[at] !== '{' && text[at] !== '[') return undefined;
  let depth = 0;
  for (const {0: found, index} of text.slice(at).matchAll(/"(?:[^"\\]+|\\[^])*(?:"|$)|[[{]|[\]}]/g)) {
    if (found === '{' || found === '[') depth += 1;
    else if (found === '}' || found === ']') depth -= 1;
    if (depth === 0) return at + index + found.length;
  }
  return undefined;
}
