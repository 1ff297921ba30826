import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import {withoutMiddle} from './truncate-bytes.ts';

/** Shortens a JSON object to `maxBytes`: its texts and lists are cut, `truncated` is set, and `truncation` names the place of the full text. */
export function shortenJson(text: string, maxBytes: number, whole: string): string {
  const value = parseJson(text);
  for (const step of STEPS) {
    const content = isJsonObject(value) ? (shrunk(value, step) as JsonObject) : {value: shrunk(value, step)};
    const shorter = JSON.stringify({...content, truncated: true, truncation: whole});
    if (Buffer.byteLength(shorter) <= maxBytes) return shorter;
  }
  return JSON.stringify({truncated: true, truncation: whole});
}

/** The limits for texts and lists that are tried, from mild to harsh. */
const STEPS: readonly {readonly bytes: number; readonly items: number}[] = [
  ...[16_000, 8000, 4000, 2000, 1000, 500].map((bytes) => ({bytes, items: Infinity})),
  ...[200, 100, 50, 20, 5].map((items) => ({bytes: 500, items})),
  {bytes: 100, items: 5},
];

function shrunk(value: Json | undefined, step: (typeof STEPS)[number]): Json | undefined {
  if (typeof value === 'string') return withoutMiddle(value, step.bytes);
  if (Array.isArray(value)) return value.slice(0, step.items).map((item: Json) => shrunk(item, step) as Json);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shrunk(inner, step)]));
}
