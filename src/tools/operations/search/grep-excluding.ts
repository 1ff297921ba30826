import {readFile, stat} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import type {GrepMatch, GrepQuery, GrepResult} from '../../../search/engine.ts';
import type {ToolContext} from '../../context.ts';
import {excludedPaths} from '../fs/excluded-paths.ts';

export interface Exclusion {
  /** In the syntax of .gitignore, from the root of the workspace. */
  readonly lines: readonly string[];
  /** A file in the root of the workspace with more such lines; it may be missing. */
  readonly file: string | undefined;
}

/**
 * Searches without what exclude lines name; a later `!` line takes files in again. Searches for more until enough is left of it: what `!`
 * lines decide is known only of the matches.
 */
export async function grepExcluding(asked: GrepQuery, exclusion: Exclusion, {workspace, search, signal}: ToolContext): Promise<GrepResult> {
  const excluded = excludedPaths([...exclusion.lines, ...(await linesOf(workspace.root, exclusion.file))]);
  const isFile = (await stat(asked.root)).isFile();
  const folder = relative(workspace.root, isFile ? dirname(asked.root) : asked.root)
    .split(sep)
    .join('/');
  const isKept = ({path}: GrepMatch): boolean => isFile || !excluded.excludes(fromRoot(folder, path));
  const query = {...asked, globs: [...asked.globs, ...(isFile ? [] : below(excluded.safeGlobs, folder))]};
  const {maxMatches} = asked;
  for (let wanted = maxMatches; ; wanted *= 8) {
    const found = await search.grep({...query, maxMatches: wanted}, signal);
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

async function linesOf(root: string, file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  try {
    return (await readFile(join(root, file), 'utf8')).split(/\r?\n/);
  } catch {
    return []; // there is none
  }
}
