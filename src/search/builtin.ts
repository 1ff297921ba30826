import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {FettleError} from '../base/errors.ts';
import type {GitEnvironment} from '../workspace/ignore/git-settings.ts';
import type {GrepQuery, GrepResult} from './engine.ts';
import {openRules} from './files.ts';
import {searchable} from './ignored-path.ts';
import {type FileLines, grepResult} from './grep-result.ts';
import type {GrepRoot} from './grep-root.ts';
import {compileLineFinder} from './line-matcher.ts';
import {matchedLines} from './matched-lines.ts';
import {compileOverrides} from './glob/override-globs.ts';
import {requireValidGlob} from './glob/valid-glob.ts';
import {looksBeyondAscii} from './ripgrep/single-byte-files.ts';
import {TextFileReader} from './text-file.ts';
import {walk} from './walk.ts';

export interface SearchPlace {
  readonly root: GrepRoot;
  readonly env: GitEnvironment;
}

/**
 * Searches without ripgrep, in this process: for machines where its program is missing. Same results; `\b` knows ASCII words only, and files
 * above 256 MiB are skipped. Throws BAD_ARGS for a broken pattern, CANCELLED.
 */
export async function grepBuiltin(place: SearchPlace, query: GrepQuery, signal: AbortSignal): Promise<GrepResult> {
  const find = await compileLineFinder(query.pattern, {caseInsensitive: query.caseInsensitive, multiline: query.multiline});
  const deadline = AbortSignal.timeout(query.timeoutMs);
  const reader = new TextFileReader({decodes: looksBeyondAscii(query.pattern)});
  const found: FileLines[] = [];
  let matches = 0;
  let last = performance.now();
  for (const {path, absolute} of await targets(place, query, signal)) {
    if (matches > query.maxMatches || deadline.aborted) break;
    const text = reader.read(absolute, query.maxFileBytes);
    const lines = text === undefined ? [] : find(text, query.maxMatches - matches + 1);
    if (text !== undefined && lines.length > 0) found.push({path, lines: matchedLines(text, lines, query)});
    matches += lines.length;
    if (performance.now() - last > SLICE_MS) {
      await setImmediate();
      if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'The search was cancelled.'});
      last = performance.now();
    }
  }
  return grepResult(found, query, {timedOut: deadline.aborted});
}

/** The loop of events gets its turn after so long. */
const SLICE_MS = 10;

interface Target {
  readonly path: string;
  readonly absolute: string;
}

async function targets({root: {folder, file}, env}: SearchPlace, query: GrepQuery, signal: AbortSignal): Promise<Target[]> {
  for (const glob of query.globs) requireValidGlob(glob);
  if (file !== undefined) return [{path: file, absolute: query.root}];
  const ignore = await openRules(query, env);
  const paths = await walk({root: folder, hidden: query.hidden, ignore, links: false, selector: compileOverrides(query.globs)}, signal);
  return (await searchable(paths, query, env)).map((path) => ({path, absolute: join(folder, path)}));
}
