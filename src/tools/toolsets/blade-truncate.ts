import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import {headOf, tailOf} from '../cut-text.ts';
import type {OutputBound} from '../toolset.ts';

const HEAD_LINES = 100;
const TAIL_LINES = 50;

/**
 * "The executor keeps a head/tail summary rather than returning the entire payload" (zblade tool calls › Result truncation): the first 100
 * and the last 50 lines, long lines without their middle. JSON stays JSON: its texts and lists get shorter, and it says `truncated`.
 */
export function shortenBlade(text: string, {maxBytes}: OutputBound, whole: string): string {
  const json = text.startsWith('{') ? parseJson(text) : undefined;
  if (isJsonObject(json)) return shrunkJson(json, maxBytes, whole);
  const lines = text.split('\n');
  const shown = `showing first ${HEAD_LINES} and last ${TAIL_LINES} lines`;
  const about = `[TRUNCATED: ${Buffer.byteLength(text)} bytes, ${lines.length} lines - ${shown}]`;
  const notice = `${about} Ask for less: a narrower path, pattern or range; ${whole}.`;
  const isLong = lines.length > HEAD_LINES + TAIL_LINES;
  const head = isLong ? lines.slice(0, HEAD_LINES) : lines;
  const tail = isLong ? lines.slice(-TAIL_LINES) : [];
  const room = maxBytes - Buffer.byteLength(notice) - 4;
  const cap = lineCap([...head, ...tail], room);
  const cut = (line: string): string => withoutMiddle(line, cap);
  if (isLong) return [...head.map(cut), '', notice, '', ...tail.map(cut)].join('\n');
  return [...lines.map(cut), '', about.replace(shown, 'the middle of long lines is left out'), notice.slice(about.length + 1)].join('\n');
}

/** The most bytes of a line with which all of them fit. */
function lineCap(lines: readonly string[], room: number): number {
  const sizes = lines.map((line) => Buffer.byteLength(line) + 1).toSorted((a, b) => a - b);
  let left = room;
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share - 1;
    left -= size;
  }
  return Infinity;
}

/** Both ends of a line in at most `maxBytes`, with what was left out between them. */
function withoutMiddle(line: string, maxBytes: number): string {
  const bytes = Buffer.byteLength(line);
  if (bytes <= maxBytes) return line;
  const room = Math.max(0, maxBytes - MARK_BYTES);
  return `${headOf(line, Math.ceil(room / 2))}[… ${bytes - room} bytes left out …]${tailOf(line, Math.floor(room / 2))}`;
}

const MARK_BYTES = 40;

/** Longest texts and lists that are tried, mild to harsh. */
const STEPS: readonly {readonly bytes: number; readonly items: number}[] = [
  ...[16_000, 8000, 4000, 2000, 1000, 500].map((bytes) => ({bytes, items: Infinity})),
  ...[200, 100, 50, 20, 5].map((items) => ({bytes: 500, items})),
  {bytes: 100, items: 5},
];

function shrunkJson(value: JsonObject, maxBytes: number, whole: string): string {
  for (const step of STEPS) {
    const text = JSON.stringify({...(shrunk(value, step) as JsonObject), truncated: true, truncation: whole});
    if (Buffer.byteLength(text) <= maxBytes) return text;
  }
  return JSON.stringify({truncated: true, truncation: whole});
}

function shrunk(value: Json | undefined, step: (typeof STEPS)[number]): Json | undefined {
  if (typeof value === 'string') return withoutMiddle(value, step.bytes);
  if (Array.isArray(value)) return value.slice(0, step.items).map((item: Json) => shrunk(item, step) as Json);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shrunk(inner, step)]));
}
