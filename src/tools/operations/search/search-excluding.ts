import {readFile, stat} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import * as z from 'zod/mini';
import type {GrepMatch, GrepResult} from '../../../search/engine.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {excludedPaths, type ExcludedPaths} from '../fs/excluded-paths.ts';
import {readSubjects} from '../fs/path-subjects.ts';
import {searchRoot, type SearchRoot} from './search-root.ts';

const args = z.object({
  /** A folder, or one file; what is named itself is never excluded. */
  path: z.string(),
  /** Rust regex syntax. */
  pattern: z.string(),
  caseInsensitive: z.boolean(),
  maxMatches: z.number(),
  maxLineChars: z.number(),
  /** What .gitignore and its like name is passed over. */
  ignoreFiles: z.boolean(),
  /** In the syntax of .gitignore; lines of the exclude file come after them. */
  exclude: z.array(z.string()),
  /** A file in the root of the workspace with more such lines; it may be missing. */
  excludeFile: z.string(),
  timeoutMs: z.number(),
});

const result = z.object({
  matches: z.array(z.object({path: z.string(), line: z.number(), text: z.string()})),
  truncated: z.boolean(),
  timedOut: z.boolean(),
});

export type SearchExcludingArgs = z.infer<typeof args>;
export type SearchExcludingResult = z.infer<typeof result>;

/** Finds lines by a regular expression, without what exclude patterns name; a later `!` line takes files in again. */
export const searchExcluding: Operation<SearchExcludingArgs, SearchExcludingResult> = {
  id: 'search.excluding',
  permission: 'grep',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run(asked, ctx) {
    const root = await searchRoot(asked.path, ctx);
    const excluded = excludedPaths([...asked.exclude, ...(await linesOf(join(ctx.workspace.root, asked.excludeFile)))]);
    const kept = await keptMatches({asked, root, excluded}, ctx);
    const matches = kept.matches.map(({path, line, text}) => ({path: root.shown(path), line, text}));
    return {matches, truncated: kept.truncated, timedOut: kept.timedOut};
  },
};

interface Search {
  readonly asked: SearchExcludingArgs;
  readonly root: SearchRoot;
  readonly excluded: ExcludedPaths;
}

/** Searches for more until enough is left of it: what `!` lines decide is known only of the matches. */
async function keptMatches({asked, root, excluded}: Search, ctx: ToolContext): Promise<GrepResult> {
  const {pattern, caseInsensitive, maxMatches, maxLineChars, ignoreFiles, timeoutMs} = asked;
  const isFile = (await stat(root.path)).isFile();
  const folder = relative(ctx.workspace.root, isFile ? dirname(root.path) : root.path)
    .split(sep)
    .join('/');
  const isKept = ({path}: GrepMatch): boolean => isFile || !excluded.excludes(fromRoot(folder, path));
  const rules = {root: root.path, hidden: false, ignoreFiles, requireGit: false, globs: isFile ? [] : below(excluded.safeGlobs, folder)};
  const query = {pattern, caseInsensitive, maxLineChars, timeoutMs, multiline: false, contextLines: 0, ...rules};
  for (let wanted = maxMatches; ; wanted *= 8) {
    const found = await ctx.search.grep({...query, maxMatches: wanted}, ctx.signal);
    const matches = found.matches.filter(isKept);
    if (matches.length > maxMatches) return {...found, matches: matches.slice(0, maxMatches), truncated: true};
    if (!found.truncated || found.timedOut || matches.length === maxMatches || wanted > MAX_COLLECTED) return {...found, matches};
  }
}

const MAX_COLLECTED = 500_000;

/** Lines with a slash inside mean paths from the root: in a search that starts below they are judged on the matches alone. */
function below(globs: readonly string[], folder: string): readonly string[] {
  return folder === '' ? globs : globs.filter((glob) => !glob.slice(1).replace(/\/$/, '').includes('/'));
}

/** A search outside of the workspace is judged from where it starts. */
function fromRoot(folder: string, path: string): string {
  return folder === '' || folder.startsWith('..') ? path : `${folder}/${path}`;
}

async function linesOf(file: string): Promise<string[]> {
  try {
    return (await readFile(file, 'utf8')).split(/\r?\n/);
  } catch {
    return []; // there is none
  }
}
