import {hash} from 'node:crypto';
import {isJsonObject, parseJson} from '../../base/json.ts';
import {repeatNotes, type RepeatWatch} from './repeats.ts';

/** One call of a reply, and what came of it. */
export interface ObservedCall {
  readonly toolName: string;
  /** The arguments as the model wrote them. */
  readonly arguments: string;
  readonly text: string;
  readonly isError: boolean;
  readonly isRead: boolean;
  /** The command line, where it was one. */
  readonly command?: string | undefined;
}

export interface ProgressVerdict {
  /** For the model. */
  readonly note?: string | undefined;
  /** Why the turn is over. */
  readonly stop?: string | undefined;
}

export interface ProgressGuard {
  /** After each reply with calls. */
  judge(calls: readonly ObservedCall[]): ProgressVerdict;
  /** What was known counts as unknown again: another turn, or a conversation that was shortened. */
  forget(): void;
}

/** Replies in a row that brought nothing new: told, told again, stopped. */
export const TELL_AT = 5;
export const TELL_AGAIN_AT = 9;
export const STOP_AT = 13;

/**
 * Notices when a turn goes round in circles, also in wide ones. New is a call that gave what it has not given before; of failures only what
 * no other call has given either, but for the names that the model itself made up. One new thing in a reply is progress: reading a large repository, however long, is never stopped, and
 * there is no number of reads that would be too many (vtcode architecture › duplicate-call protection; a count of explorations kills honest ones).
 */
export function createProgressGuard(): ProgressGuard {
  let seen = new Set<string>();
  let idle: ObservedCall[][] = [];
  let watch: RepeatWatch = repeatNotes();
  return {
    judge(calls) {
      const isNew = calls.map((call) => learn(seen, call)).includes(true);
      idle = isNew ? [] : [...idle, [...calls]];
      const repeated = watch.note(calls);
      if (idle.length >= STOP_AT) return {stop: report(idle)};
      if (idle.length === TELL_AT || idle.length === TELL_AGAIN_AT) return {note: advice(idle)};
      return {note: repeated};
    },
    forget() {
      seen = new Set();
      idle = [];
      watch = repeatNotes();
    },
  };
}

/** Remembers what a call gave; true where it is new. */
function learn(seen: Set<string>, call: ObservedCall): boolean {
  const result = hash('sha256', call.isError ? withoutTimes(withoutOwnWords(call)) : call.text);
  const same = `${call.toolName}\n${call.arguments}\n${result}`;
  const isNew = !seen.has(same) && !(call.isError && seen.has(result));
  seen.add(same);
  if (call.isError) seen.add(result);
  return isNew;
}

/** That there is no `a`, and no `b`, is one failure. */
function withoutOwnWords({toolName, arguments: given, text}: ObservedCall): string {
  const parsed = parseJson(given);
  const words = isJsonObject(parsed) ? Object.values(parsed).filter((value) => typeof value === 'string') : [];
  const own = [toolName, ...words].filter(({length}) => length >= SHORTEST_WORD).toSorted((a, b) => b.length - a.length);
  return own.reduce((left, word) => left.replaceAll(word, '\u0000'), text);
}

/** Characters; shorter ones stand in other words, too. */
const SHORTEST_WORD = 3;

/** Durations and times of day make a failure no other one. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\b\d+(?:[.:]\d+)*\s?(?:ms|s|sec|seconds|m|min|minutes)\b|\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\b/g, '');
}

function advice(idle: readonly (readonly ObservedCall[])[]): string {
  return `[note: the last ${idle.length} replies brought nothing new: ${listed(idle)}. After ${STOP_AT} the turn is ended. Try another way, or say what is missing.]`;
}

function report(idle: readonly (readonly ObservedCall[])[]): string {
  return `No progress: the last ${idle.length} replies brought nothing new. What was called: ${listed(idle)}. Nothing was changed by them.`;
}

const MAX_LISTED = 5;
const MAX_CHARS = 80;

/** The calls, the most frequent first. */
function listed(idle: readonly (readonly ObservedCall[])[]): string {
  const counts = new Map<string, number>();
  for (const call of idle.flat()) {
    const name = brief(call);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, MAX_LISTED).map(([name, count]) => `${name} (${count} ×)`);
  return [...shown, ...(sorted.length > MAX_LISTED ? [`${sorted.length - MAX_LISTED} others`] : [])].join(', ');
}

function brief({toolName, command, arguments: given}: ObservedCall): string {
  const text = `${toolName} ${command ?? given}`.replaceAll(/\s+/g, ' ');
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text;
}
