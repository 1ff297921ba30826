import {hash} from 'node:crypto';
import {isCheckCommand, inspectsOnly} from '../../context/memory/check-command.ts';
import {CHECK_STOP_AT, POLL_MS, POLL_STOP_AT} from '../../tools/dispatch/loop-guard.ts';
import {comparableOutput} from '../../tools/dispatch/repetition/comparable-output.ts';
import {keyOf, type ObservedCall, type ProgressVerdict} from './observed-call.ts';

/** Identical failures of a command before the model is told. */
export const NUDGE_CHECK_AT = 4;

export interface FailingChecks {
  /** Call it after each reply with calls. `isNew`: the call returned something new. */
  judge(calls: readonly {readonly call: ObservedCall; readonly isNew: boolean}[], at: number): ProgressVerdict;
}

/** The failures of one command. */
interface Failing {
  /** Hash of its output. */
  readonly result: string;
  /** Number of failures without a change of files in between. */
  readonly unchanged: number;
  /** Number of those that came in quick succession; with a second or more in between, a command is a poll, unless it is a check. */
  readonly quick: number;
  readonly at: number;
}

/**
 * Counts commands that fail in the same way, whatever runs in between. While no file changes, the model is told and then the turn ends; after
 * changes, the model is told once. Differences in duration or process id do not count.
 */
export function countFailingChecks(): FailingChecks {
  const failing = new Map<string, Failing>();
  const loose = new Map<string, {readonly result: string; readonly times: number}>();

  const count = (call: ObservedCall, at: number): ProgressVerdict => {
    const {command = '', text} = call;
    const key = keyOf(call);
    const result = hash('sha256', comparableOutput(text));
    const {now, isPoll} = followed(failing.get(key), {result, at, isCheck: isCheck(command)});
    failing.set(key, now);
    const times = countLoosely(loose, key, text);
    if (now.quick >= CHECK_STOP_AT || now.unchanged >= POLL_STOP_AT) return {stop: stopped(command, now.unchanged)};
    if (now.unchanged === NUDGE_CHECK_AT) return {note: unchangedNote(command, isPoll ? POLL_STOP_AT : CHECK_STOP_AT)};
    return {note: times === NUDGE_CHECK_AT ? changedNote(command) : undefined};
  };

  return {
    judge(calls, at) {
      const verdicts = calls.map(({call, isNew}) => {
        if (call.isError && call.command !== undefined) return count(call, at);
        if (call.command !== undefined) failing.delete(keyOf(call));
        if (mayHaveChanged(call, isNew)) failing.clear();
        return {};
      });
      const notes = verdicts.flatMap(({note}) => note ?? []);
      return {stop: verdicts.find(({stop}) => stop !== undefined)?.stop, note: notes.length === 0 ? undefined : notes.join('\n')};
    },
  };
}

/** Returns the record of a command after one more failure. */
function followed(
  before: Failing | undefined,
  {result, at, isCheck: mayNotWait}: {readonly result: string; readonly at: number; readonly isCheck: boolean},
): {readonly now: Failing; readonly isPoll: boolean} {
  if (before?.result !== result) return {now: {result, unchanged: 1, quick: 1, at}, isPoll: false};
  const isPoll = at - before.at >= POLL_MS && !mayNotWait;
  return {now: {result, unchanged: before.unchanged + 1, quick: before.quick + (isPoll ? 0 : 1), at}, isPoll};
}

/** Line numbers move with edits. */
function countLoosely(loose: Map<string, {readonly result: string; readonly times: number}>, key: string, text: string): number {
  const result = hash('sha256', comparableOutput(text).replaceAll(/\d+/g, ''));
  const before = loose.get(key);
  const times = before?.result === result ? before.times + 1 : 1;
  loose.set(key, {result, times});
  return times;
}

/** An edit, or a command that worked and is not known to be read-only, unless its output says that it changed nothing. */
function mayHaveChanged({hasChanges = false, isError, command}: ObservedCall, isNew: boolean): boolean {
  if (hasChanges) return true;
  return !isError && isNew && command !== undefined && !inspectsOnly(command) && !isCheck(command);
}

/** True for commands that check the work; other failing commands may wait for something. */
function isCheck(command: string): boolean {
  return isCheckCommand(command) || TEST_FILES.test(command);
}

const TEST_FILES =
  /(?:^|[;&|]\s*)(?:(?:bash|sh|node|python3?|ruby|php|perl|deno\s+run|bun(?:\s+run)?|npx|tsx)\s+)?\S*(?:test|spec|check|verify|lint)\S*\.(?:sh|[cm]?[jt]s|py|rb|php|pl|t)\b/;

function unchangedNote(command: string, stopAt: number): string {
  return `[note: \`${brief(command)}\` has failed in the same way ${NUDGE_CHECK_AT} times, and no file has changed in between. Change something first; at ${stopAt} the turn is ended.]`;
}

function changedNote(command: string): string {
  return `[note: \`${brief(command)}\` has failed in the same way ${NUDGE_CHECK_AT} times. Read its first error again, and check what you assume, before you change more.]`;
}

function stopped(command: string, times: number): string {
  return `No progress: \`${brief(command)}\` has failed in the same way ${times} times, and no file has changed in between.`;
}

function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
