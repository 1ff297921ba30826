import {isJsonObject, parseJson, type Json} from '../../base/json.ts';
import type {ToolCallPart} from '../../protocol/messages.ts';

/**
 * Shortens the arguments of a call to about `most` characters: its long texts keep their beginning and end, and
 * it stays JSON. The call was run with the full arguments, which the log keeps.
 */
export function shortenArguments(part: ToolCallPart, most: number): ToolCallPart {
  if (part.arguments.length <= most) return part;
  const value = parseJson(part.arguments);
  for (const longest of [most / 2, most / 8, 100].map(Math.floor)) {
    const text = value === undefined ? '' : JSON.stringify(shortened(value, longest));
    if (text !== '' && text.length <= most) return withArguments(part, text);
  }
  return withArguments(part, JSON.stringify({left_out: `${part.arguments.length} characters of arguments`}));
}

function shortened(value: Json, longest: number): Json {
  if (typeof value === 'string') return value.length <= longest ? value : ends(value, longest);
  if (Array.isArray(value)) return value.map((each: Json) => shortened(each, longest));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, each === undefined ? each : shortened(each, longest)]));
}

function ends(text: string, longest: number): string {
  const half = Math.floor(longest / 2);
  return `${text.slice(0, half).toWellFormed()}[… ${text.length - 2 * half} characters left out …]${text.slice(-half).toWellFormed()}`;
}

/** Sets the arguments, also in the provider's own form of the call; Gemini's form is dropped, since it is signed. */
function withArguments({native, ...part}: ToolCallPart, text: string): ToolCallPart {
  const call = {...part, arguments: text};
  if (native === undefined || native.format === 'gemini') return call;
  const {data} = native;
  return isJsonObject(data) && 'arguments' in data ? {...call, native: {...native, data: {...data, arguments: text}}} : {...call, native};
}
