import {stat} from 'node:fs/promises';
import {sep} from 'node:path';
import {FettleError, toFettleError} from '../base/errors.ts';
import {type GitEnvironment} from '../workspace/ignore/git-settings.ts';
import {type IgnoreFolder, openIgnoreFolder} from '../workspace/ignore/ignore-folder.ts';
import type {FilesQuery, FilesResult, WalkRules} from './engine.ts';
import {compileBashGlob, compileIgnoreGlob, type Glob} from './glob/glob-pattern.ts';
import {newestFirst} from './newest.ts';
import {EVERYTHING} from './selector.ts';
import {walk} from './walk.ts';

/** Lists files for both engines: reading folders here takes less time than starting ripgrep, lists links, and follows git to the letter. */
export async function findFiles(query: FilesQuery, env: GitEnvironment, signal: AbortSignal): Promise<FilesResult> {
  const glob = compileGlob(query);
  const ignore = await openRules(query, env);
  const found = await walk({root: query.root, hidden: query.hidden, ignore, links: true, selector: glob.selector}, signal);
  const ordered = query.order === 'newest' ? await newestFirst({root: query.root, paths: found, limit: query.limit}, signal) : found;
  const paths = ordered.slice(0, query.limit);
  return {paths: glob.prefix === '' ? paths : paths.map((path) => glob.prefix + path), truncated: found.length > query.limit};
}

/** The ignore rules of a query; undefined: nothing is ignored. Throws NOT_FOUND or NOT_A_FILE … for a root that is not a folder. */
export async function openRules(rules: WalkRules, env: GitEnvironment): Promise<IgnoreFolder | undefined> {
  const info = await stat(rules.root).catch((error: unknown) => {
    throw toFettleError(error);
  });
  if (!info.isDirectory()) throw new FettleError({code: 'BAD_ARGS', message: `${rules.root} is not a folder.`, hint: 'Name a folder.'});
  if (!rules.ignoreFiles) return undefined;
  return openIgnoreFolder(rules.root, {requireGit: rules.requireGit, toolFiles: rules.toolIgnoreFiles ?? true, env});
}

function compileGlob({match, hidden, root}: FilesQuery): Glob {
  if (match === undefined) return {selector: EVERYTHING, prefix: ''};
  if (match.dialect === 'gitignore') return compileIgnoreGlob(match.pattern, hidden);
  const below = root.split(sep).join('/').replace(/\/?$/, '/');
  return compileBashGlob(match.pattern.startsWith(below) ? match.pattern.slice(below.length) : match.pattern, hidden);
}
