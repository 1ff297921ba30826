import {isJsonObject, parseJson} from '../../base/json.ts';
import type {ToolInvocationItem} from '../../protocol/items.ts';
import type {LogItems} from '../../sessions/log-items.ts';
import type {RecallEntry} from './envelope.ts';

/** Returns how the index names a call: its tool and its first telling argument, on one line. */
function aboutCall({tool_name: name, arguments: text}: Pick<ToolInvocationItem, 'tool_name' | 'arguments'>): string {
  const input = text.length <= LONG ? parseJson(text) : firstDistinctive(text);
  if (!isJsonObject(input)) return name;
  const distinctive = DISTINCTIVE.map((key) => input[key]).find((value) => typeof value === 'string' && value.trim() !== '');
  const about = distinctive ?? Object.values(input).find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof about !== 'string') return name;
  const line = about.trim().replaceAll(/\s+/g, ' ');
  return `${name} ${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}`;
}

/** Arguments that identify the subject of a call, the most distinctive first. */
const DISTINCTIVE = 'path file_path filepath filename file command cmd Command CommandLine pattern query url symbol name prompt task'.split(
  ' ',
);
/** Characters. */
const LONGEST = 80;
const LONG = 20_000;

/** A long text is not parsed for one line: its first distinctive argument is near its beginning or its end. */
function firstDistinctive(text: string): Record<string, string> {
  const found = new RegExp(String.raw`"(${DISTINCTIVE.join('|')})"\s*:\s*"((?:[^"\\]|\\.){1,200})`).exec(
    `${text.slice(0, 2000)}\n${text.slice(-2000)}`,
  );
  return found === null ? {} : {[found[1] ?? '']: found[2] ?? ''};
}

/**
 * Returns a function that tells what can be recalled from the log of a session: calls about the same thing share an entry, which keeps the numbers
 * of the newest results; the messages of the person have one of their own. The newest last. Each call reads only what was logged since the last.
 */
export function createRecallIndex(log: Pick<LogItems, 'visitNew'>): () => Promise<readonly RecallEntry[]> {
  const entries = new Map<string, readonly number[]>();
  const calls = new Map<string, string>();
  const add = (about: string, {number, most}: {readonly number: number; readonly most: number}): void => {
    const items = [...(entries.get(about) ?? []), number].slice(-most);
    entries.delete(about);
    entries.set(about, items);
  };
  return async () => {
    await log.visitNew((item, number) => {
      if (item.type === 'tool_invocation') calls.set(item.id, aboutCall(item));
      else if (item.type === 'user_message' && item.origin !== 'harness') add(PERSON, {number, most: MESSAGES});
      else if (item.type === 'tool_output') {
        const about = calls.get(item.call_id) ?? item.tool_name;
        calls.delete(item.call_id);
        if (!NOT_INDEXED.test(about)) add(about, {number, most: NUMBERS});
      }
    });
    return [...entries].slice(-ENTRIES).map(([about, items]) => ({about, items: [...items]}));
  };
}

/** Calls whose results are not indexed: they show other items, or nothing that is worth another look. */
const NOT_INDEXED = /^(?:\w+__)?(?:recall|todo\w*|update_plan|task_tracker|ask_user\w*)(?: |$)/;
const NUMBERS = 4;
const MESSAGES = 2000;
/** The entry of the messages of the person, all of them. */
export const PERSON = 'person';
const ENTRIES = 600;

/** Numbers as short as they can be written: `3, 5-8`. */
export function numberRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
