import type {SessionEnd} from '../command-session.ts';

/** How a command ended: its exit code, or what ended it. */
export function exitText({exitCode, signal, timedOut, cancelled, durationMs}: SessionEnd): string {
  if (timedOut) return `none (timed out after ${(durationMs / 1000).toFixed(1)} s; everything it started was killed)`;
  if (cancelled) return 'none (cancelled; everything it started was killed)';
  return exitCode === null ? `none (killed by ${signal ?? 'a signal'})` : String(exitCode);
}

export function failed({exitCode, timedOut, cancelled}: SessionEnd): boolean {
  return exitCode !== 0 || timedOut || cancelled;
}
