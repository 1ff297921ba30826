import {lstatSync} from 'node:fs';
import {sep} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {FettleError} from '../base/errors.ts';

export interface Dated {
  readonly root: string;
  /** In order: this order decides between equal times. */
  readonly paths: readonly string[];
  readonly limit: number;
}

/** The `limit` paths that were modified last, newest first. A file that is gone meanwhile counts as the oldest. */
export async function newestFirst({root, paths, limit}: Dated, signal: AbortSignal): Promise<string[]> {
  const times = new Float64Array(paths.length);
  const start = root.endsWith(sep) ? root : root + sep;
  for (let i = 0; i < paths.length; i++) {
    times[i] = lstatSync(start + paths[i], {throwIfNoEntry: false})?.mtimeMs ?? 0;
    if (i % BATCH === BATCH - 1) await breathe(signal);
  }
  const threshold = times.toSorted()[Math.max(0, times.length - limit)] ?? 0;
  const candidates = Array.from(paths.keys()).filter((i) => (times[i] ?? 0) >= threshold);
  const newest = candidates.sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0) || a - b).slice(0, limit);
  return newest.map((i) => paths[i] ?? '');
}

/** Asking for one file takes about a microsecond; the loop of events gets its turn every few milliseconds. */
const BATCH = 4096;

async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'The search was cancelled.'});
}
