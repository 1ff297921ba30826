import {setImmediate as pause} from 'node:timers/promises';
import {FettleError} from '../base/errors.ts';
import {fuzzyScore} from './fuzzy-score.ts';

/**
 * Returns the paths that contain the characters of a query in order, best first: those where they are adjacent, at the beginning of names, and
 * near the end of the path. Case does not count. 100,000 paths take some 100 ms, in slices of a few: keys typed meanwhile do not wait. Throws
 * CANCELLED.
 */
export async function rankPaths(
  paths: readonly string[],
  {query, limit, onFit}: RankQuery,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, '');
  const best: Ranked[] = [];
  let least = -Infinity;
  let began = performance.now();
  for (let from = 0; from < paths.length; from += PIECE) {
    for (const path of paths.slice(from, from + PIECE)) {
      const score = scoreOf(path, wanted);
      if (score === undefined) continue;
      onFit?.(path);
      if (score < least) continue;
      best.push({path, score});
      // Only the paths that may be shown are kept: sorting all matches would stall.
      if (best.length >= 4 * limit) least = best.sort(better).splice(limit)[0]?.score ?? least;
    }
    if (performance.now() - began < MOST_MS && from + PIECE < paths.length) continue;
    await pause();
    began = performance.now();
    if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'The search was cancelled.'});
  }
  return best
    .sort(better)
    .slice(0, limit)
    .map(({path}) => path);
}

function scoreOf(path: string, wanted: string): number | undefined {
  return wanted === '' ? -depth(path) : fuzzyScore(path, wanted);
}

export interface RankQuery {
  readonly query: string;
  readonly limit: number;
  /** Called with each path that fits, in their order: the paths that a longer query is among. */
  readonly onFit?: ((path: string) => void) | undefined;
}

interface Ranked {
  readonly path: string;
  readonly score: number;
}

/** Paths between two looks at the clock, and milliseconds between two at the signal and at what else waits. */
const PIECE = 64;
const MOST_MS = 4;

function better(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
}

function depth(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}
