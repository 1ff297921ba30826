import {mkdir, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {createSearchEngine} from '../../src/search/create-engine.ts';
import type {FilesQuery, GrepQuery, SearchEngine} from '../../src/search/engine.ts';

/** Both engines, with a home folder of their own. */
export function bothEngines(home: string): {ripgrep: SearchEngine; builtin: SearchEngine} {
  const env = {HOME: home, GIT_CONFIG_NOSYSTEM: '1'};
  return {ripgrep: createSearchEngine({env}), builtin: createSearchEngine({env, locate: () => undefined})};
}

export function grepQuery(query: Partial<GrepQuery> & {root: string; pattern: string}): GrepQuery {
  return {
    hidden: false,
    ignoreFiles: true,
    requireGit: true,
    caseInsensitive: false,
    multiline: false,
    globs: [],
    maxMatches: 1000,
    maxLineChars: 500,
    contextLines: 0,
    timeoutMs: 20_000,
    ...query,
  };
}

export function filesQuery(query: Partial<FilesQuery> & {root: string}): FilesQuery {
  return {hidden: true, ignoreFiles: true, requireGit: true, order: 'path', limit: 100_000, ...query};
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

/** Writes a file; nothing where a part of the path is a file already, or the path a folder. */
export async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), {recursive: true}).catch(() => undefined);
  await writeFile(path, text).catch(() => undefined);
}

/** The same cases on every run; FUZZ_RUNS=n tries n others. */
export function fuzzing(runs: number): {numRuns: number; seed?: number} {
  const more = process.env['FUZZ_RUNS'];
  return more === undefined ? {numRuns: runs, seed: 20_261_121} : {numRuns: Number(more)};
}
