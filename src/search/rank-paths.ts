import {setImmediate as pause} from 'node:timers/promises';
import {FettleError} from '../base/errors.ts';

/**
 * Returns the paths that hold the characters of a query in their order, best first: those where they stand together, at the beginning of
 * names, and near the end of the path. Upper and lower case are the same. 100,000 paths take some 100 ms, in pieces of a few: keys that are
 * typed meanwhile are not kept waiting. Throws CANCELLED.
 */
export async function rankPaths(paths: readonly string[], {query, limit}: RankQuery, signal: AbortSignal): Promise<readonly string[]> {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, '');
  const best: Ranked[] = [];
  let least = -Infinity;
  let began = performance.now();
  for (let from = 0; from < paths.length; from += PIECE) {
    for (const path of paths.slice(from, from + PIECE)) {
      const score = wanted === '' ? -depth(path) : scoreOf(path, wanted);
      if (score === undefined || score < least) continue;
      best.push({path, score});
      // Only what may be shown is kept: to sort all that fit would stall.
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

export interface RankQuery {
  readonly query: string;
  readonly limit: number;
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

/** undefined: the characters are not in it. From the end, so that the name of the file counts before its folders. */
function scoreOf(path: string, wanted: string): number | undefined {
  const text = path.toLowerCase();
  const name = text.lastIndexOf('/', text.length - 2) + 1;
  const together = text.lastIndexOf(wanted);
  if (together >= 0) return TOGETHER + (together >= name ? IN_NAME : 0) + startBonus(path, together) - text.length / 100;
  let score = 0;
  let at = text.length;
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    const found = text.lastIndexOf(wanted[index] ?? '', at - 1);
    if (found < 0 || at === 0) return undefined;
    score += (found === at - 1 && index < wanted.length - 1 ? ADJACENT : 0) + startBonus(path, found) / 4 + (found >= name ? 1 : 0);
    at = found;
  }
  return score - text.length / 100;
}

const TOGETHER = 100;
const IN_NAME = 40;
const ADJACENT = 4;
const START = 20;

/** Where a name or a word of it begins. */
function startBonus(path: string, at: number): number {
  const before = path[at - 1] ?? '/';
  if (before === '/') return START;
  return /[-_. ]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(path[at] ?? '')) ? START / 2 : 0;
}
