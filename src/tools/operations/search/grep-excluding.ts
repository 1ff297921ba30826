import {readFile, stat} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import type {GrepMatch, GrepQuery, GrepResult} from '../../../search/engine.ts';
import type {ToolContext} from '../../context.ts';
import {excludedPaths} from '../fs/excluded-paths.ts';

export interface Exclusion {
  /** Lines in the syntax of .gitignore, relative to the root of the workspace. */
  readonly lines: readonly string[];
  /** A file in the root of the workspace with more such lines; it may be missing. */
  readonly file: string | undefined;
}

/**
 * Searches without the files that exclude lines match; a later `!` line includes files again. The effect of `!`
 * lines is known only for the matches, so it searches for more until enough are left.
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

/** Lines with a slash inside mean paths from the root: if a search starts below it, they are applied to the matches alone. */
function below(globs: readonly string[], folder: string): readonly string[] {
  return folder === '' ? globs : globs.filter((glob) => !glob.slice(1).replace(/\/$/, '').includes('/'));
}

/** For a search outside the workspace, paths are relative to its start. */
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
