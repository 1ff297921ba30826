import {cpus} from 'node:os';
import {readOrNothing} from './process-stat.ts';

/** A process that was started by this one. */
export interface Birth {
  readonly pid: number;
  /** `performance.now()` before it was started. */
  readonly at: number;
}

/**
 * Takes down a birth; to be called at once after it. Undefined where the system does not tell the number that it gave last, or tells that of
 * another machine (gVisor, LXC).
 */
export function birthOf(pid: number, at: number): Birth | undefined {
  const last = lastPid();
  return last !== undefined && last >= pid && last < pid + MOST ? {pid, at} : undefined;
}

/**
 * Visits this process and each that was started after it, on the whole machine, also those started meanwhile: numbers are given in turn, so
 * that a few questions do in the place of a list of all processes. Threads have such numbers, too. False where that does not do: there are
 * too many, or so much time has passed that the numbers may have come round.
 */
export function eachRecent({pid, at}: Birth, visit: (pid: number) => void): boolean {
  for (let next = pid; ;) {
    const last = lastPid();
    if (last === undefined || last < pid || last >= pid + MOST || mayHaveComeRound(performance.now() - at)) return false;
    if (next > last) return true;
    for (; next <= last; next += 1) visit(next);
  }
}

const MOST = 512;

/** Half of the numbers, each processor giving one in 5 µs: to start a process takes longer. */
function mayHaveComeRound(ms: number): boolean {
  processors ??= cpus().length;
  return ms * processors * 200 > pidLimit() / 2;
}

let processors: number | undefined;
let limit: number | undefined;

function pidLimit(): number {
  limit ??= Number(readOrNothing('/proc/sys/kernel/pid_max')?.toString('latin1') ?? 0);
  return limit;
}

/** The number that was given last; proc_loadavg(5). */
function lastPid(): number | undefined {
  const text = readOrNothing('/proc/loadavg')?.toString('latin1');
  const last = Number(text?.slice(text.lastIndexOf(' ')));
  return last > 0 ? last : undefined;
}
