import {overrunText} from '../../exec/process/resource-overrun.ts';
import type {SessionEnd} from '../shells/command-session.ts';

/** Describes the end of a command: its exit code, or the cause. */
export function exitText({exitCode, signal, timedOut, cancelled, overrun, durationMs}: SessionEnd): string {
  if (overrun !== undefined) return `none (ended: it ${overrunText(overrun)}; everything it started was killed)`;
  if (timedOut) return `none (timed out after ${(durationMs / 1000).toFixed(1)} s; everything it started was killed)`;
  if (cancelled) return 'none (cancelled; everything it started was killed)';
  return exitCode === null ? `none (killed by ${signal ?? 'a signal'})` : String(exitCode);
}

export function failed({exitCode, timedOut, cancelled, overrun}: SessionEnd): boolean {
  return exitCode !== 0 || timedOut || cancelled || overrun !== undefined;
}
