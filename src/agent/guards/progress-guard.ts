import {hash} from 'node:crypto';
import {isJsonObject, parseJson} from '../../base/json.ts';
import {POLL_MS, POLL_STOP_AT} from '../../tools/dispatch/loop-guard.ts';
import {comparableOutput} from '../../tools/dispatch/repetition/comparable-output.ts';
import {countFailedRow} from './failed-calls-in-a-row.ts';
import {countFailingChecks} from './failing-checks.ts';
import {keyOf, type ObservedCall, type ProgressVerdict} from './observed-call.ts';
import {repeatNotes, type Novelty} from './repeated-reads.ts';
import {createLineMemory} from './shown-lines.ts';

export interface ProgressGuard {
  /** Call it after each reply with calls. */
  judge(calls: readonly ObservedCall[]): ProgressVerdict;
  /** Clears all that was seen: for a new turn, or after a compaction. */
  forget(): void;
}

/** Replies in a row without anything new: the first reminder, the second, the end of the turn. */
export const NUDGE_AT = 5;
export const NUDGE_AGAIN_AT = 9;
export const END_TURN_AT = 13;

/**
 * Notices when a turn goes round in circles, also in wide ones. A call is new if it returned something that it has not returned before; a
 * failure only if no other call has returned it either, apart from names that the model made up. One new result in a reply is progress: reading
 * a large repository, however long, is never stopped (vtcode architecture › duplicate-call protection; a count of explorations kills honest
 * ones). In any case, a check that keeps failing in the same way and calls that all fail are bounded. `now` gives milliseconds.
 */
export function createProgressGuard(now: () => number): ProgressGuard {
  let memory = newMemory();
  return {
    judge(calls) {
      const at = now();
      const learnt = calls.map((call) => ({call, gave: learn(memory, call)}));
      const isNew = learnt.some(({gave}) => gave !== 'same');
      const isPoll = !isNew && comesAfterPause(memory.replies, calls, at);
      memory.replies = [...memory.replies.slice(1 - MOST_IN_TURN), {keys: keysOf(calls), at, mayWait: waits(calls)}];
      memory.idle = isNew ? [] : [...memory.idle, {calls, isPoll}];
      const checks = memory.checks.judge(
        learnt.map(({call, gave}) => ({call, isNew: gave !== 'same'})),
        at,
      );
      // A call that waits for something fails until that exists.
      const failed = isPoll ? {} : memory.failed.judge(calls);
      const notes = learnt.flatMap(({call, gave}) => memory.repeats.note(call, gave) ?? []);
      return joined([judgeIdle(memory.idle), checks, failed, ...notes.map((note) => ({note}))]);
    },
    forget() {
      memory = newMemory();
    },
  };
}

interface Memory {
  readonly seen: Set<string>;
  readonly lines: ReturnType<typeof createLineMemory>;
  readonly checks: ReturnType<typeof countFailingChecks>;
  readonly failed: ReturnType<typeof countFailedRow>;
  readonly repeats: ReturnType<typeof repeatNotes>;
  /** Replies in a row without anything new. */
  idle: readonly IdleReply[];
  /** The last few replies. */
  replies: readonly {readonly keys: string; readonly at: number; readonly mayWait: boolean}[];
}

interface IdleReply {
  readonly calls: readonly ObservedCall[];
  readonly isPoll: boolean;
}

function newMemory(): Memory {
  const parts = {checks: countFailingChecks(), failed: countFailedRow(), repeats: repeatNotes(), lines: createLineMemory()};
  return {...parts, seen: new Set(), idle: [], replies: []};
}

/** Most calls that can form one loop. */
const MOST_IN_TURN = 3;

/** True if the reply repeats one of the last few after a pause, with calls in between that may wait: the model is waiting for something. */
function comesAfterPause(replies: Memory['replies'], calls: readonly ObservedCall[], at: number): boolean {
  const last = replies.at(-1);
  const same = replies.findLastIndex(({keys}) => keys === keysOf(calls));
  if (last === undefined || same < 0 || at - last.at < POLL_MS) return false;
  return waits(calls) || replies.slice(same + 1).some((reply) => reply.mayWait);
}

function waits(calls: readonly ObservedCall[]): boolean {
  return calls.some(({mayWait}) => mayWait === true);
}

function keysOf(calls: readonly ObservedCall[]): string {
  return calls.map(keyOf).join('\n');
}

function judgeIdle(idle: readonly IdleReply[]): ProgressVerdict {
  const quick = idle.filter(({isPoll}) => !isPoll).length;
  const calls = idle.map((reply) => reply.calls);
  if (quick >= END_TURN_AT || idle.length >= POLL_STOP_AT) return {stop: report(calls)};
  const isReported = idle.at(-1)?.isPoll === false && (quick === NUDGE_AT || quick === NUDGE_AGAIN_AT);
  return isReported ? {note: advice(calls)} : {};
}

function joined(verdicts: readonly ProgressVerdict[]): ProgressVerdict {
  const stop = verdicts.find((verdict) => verdict.stop !== undefined)?.stop;
  if (stop !== undefined) return {stop};
  const notes = verdicts.flatMap(({note}) => note ?? []);
  return {note: notes.length === 0 ? undefined : notes.join('\n')};
}

/** Records the result of a call. */
function learn({seen, lines}: Memory, call: ObservedCall): Novelty {
  if (call.hasChanges === true) lines.forget();
  if (call.shown !== undefined && !call.isError) return lines.learn(call.shown);
  const result = hash('sha256', comparableResult(call));
  const same = `${keyOf(call)}\n${result}`;
  const isNew = !seen.has(same) && !(call.isError && seen.has(result));
  seen.add(same);
  if (call.isError) seen.add(result);
  return isNew ? 'new' : 'same';
}

function comparableResult(call: ObservedCall): string {
  if (call.isError) return comparableOutput(withoutOwnWords(call));
  return call.command === undefined ? call.text : comparableOutput(call.text);
}

/** Failures that differ only in a name of the arguments count as one. */
function withoutOwnWords({toolName, arguments: args, text}: ObservedCall): string {
  const parsed = parseJson(args);
  const words = isJsonObject(parsed) ? Object.values(parsed).filter((value) => typeof value === 'string') : [];
  const own = [toolName, ...words].filter(({length}) => length >= SHORTEST_WORD).toSorted((a, b) => b.length - a.length);
  return own.reduce((left, word) => left.replaceAll(word, '\u0000'), text);
}

/** Characters; shorter names also occur within other words. */
const SHORTEST_WORD = 3;

function advice(idle: readonly (readonly ObservedCall[])[]): string {
  return `[note: the last ${idle.length} replies brought nothing new: ${listed(idle)}. After ${END_TURN_AT} the turn ends. Try another approach, or say what is missing.]`;
}

function report(idle: readonly (readonly ObservedCall[])[]): string {
  return `No progress: the last ${idle.length} replies brought nothing new. What was called: ${listed(idle)}. Nothing was changed by them.`;
}

const MAX_LISTED = 5;
const MAX_CHARS = 80;

/** Lists the calls, most frequent first. */
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

function brief({toolName, command, arguments: args}: ObservedCall): string {
  const text = `${toolName} ${command ?? args}`.replaceAll(/\s+/g, ' ');
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text;
}
