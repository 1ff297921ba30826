import {join} from 'node:path';
import {FettleError} from '../base/errors.ts';
import {isRegularFile, readIfThere} from './config-file.ts';
import {DEFAULTS} from './defaults.ts';
import {mergeSources, type Merged} from './merge.ts';
import {originText, type Origin, type Source} from './origin.ts';
import {flagSources, misspelledVariables, variableSources, type Flags} from './overrides.ts';
import {fettlePaths, type Surroundings} from './paths.ts';
import {validate} from './validate.ts';

export interface LoadRequest extends Surroundings {
  /** Absolute; `.fettle/config.toml` is looked for here. */
  readonly cwd: string;
  readonly flags?: Flags | undefined;
}

export interface LoadedConfig extends Merged {
  /** What a person should know, one line each. */
  readonly notices: readonly string[];
  readonly files: readonly ConfigFileState[];
}

interface ConfigFileState {
  readonly source: 'user' | 'project';
  readonly path: string;
  readonly exists: boolean;
  /** False for a file that exists but was not used. */
  readonly applied: boolean;
}

/**
 * Reads the settings: defaults, then the user's file, then `FETTLE_*` variables, then flags; the later one wins, tables merge key by key,
 * lists replace, rules add up. A project's file is reported and not applied.
 * Throws CONFIG with one line for each problem of all sources: place, key, and what is allowed there.
 */
export async function loadConfig({env, home, cwd, flags = {}}: LoadRequest): Promise<LoadedConfig> {
  const user = fettlePaths({env, home}).configFile;
  const project = join(cwd, '.fettle', 'config.toml');
  const bytes = await readIfThere(user);
  const hasProject = project !== user && (await isRegularFile(project));
  const overrides = [...variableSources(env), ...flagSources(flags)];
  const checked = await check(bytes === undefined ? undefined : {path: user, bytes}, overrides);
  const misspelled = await misspelledVariables(env);
  return {
    ...mergeSources(DEFAULTS, checked.sources),
    notices: [...checked.warnings, ...misspelled, ...(hasProject ? [untrusted(project)] : [])],
    files: [
      {source: 'user', path: user, exists: bytes !== undefined, applied: bytes !== undefined},
      {source: 'project', path: project, exists: hasProject, applied: false},
    ],
  };
}

function untrusted(project: string): string {
  return `${project}: not applied: settings of a project need trust, which this version cannot give yet`;
}

interface Checked {
  readonly sources: readonly Source[];
  readonly warnings: readonly string[];
}

interface NamedBytes {
  readonly path: string;
  readonly bytes: Uint8Array;
}

async function check(file: NamedBytes | undefined, overrides: readonly Source[]): Promise<Checked> {
  const problems: string[] = [];
  const fromFile = file === undefined ? undefined : await parseUserFile(file);
  if (fromFile !== undefined && 'problem' in fromFile) problems.push(fromFile.problem);
  const sources = fromFile === undefined || 'problem' in fromFile ? overrides : [fromFile, ...overrides];
  const verdicts = await Promise.all(sources.map(async (source) => ({...source, ...(await validate(source))})));
  problems.push(...verdicts.flatMap((verdict) => verdict.problems));
  if (problems.length > 0) {
    throw new FettleError({
      code: 'CONFIG',
      message: problems.join('\n'),
      hint: 'Correct it; `fettle config check` tells whether all is well, `fettle config schema` what is allowed.',
    });
  }
  return {sources: verdicts, warnings: verdicts.flatMap((verdict) => verdict.warnings)};
}

async function parseUserFile({path, bytes}: NamedBytes): Promise<Source | {readonly problem: string}> {
  const {parseToml} = await import('./parse-toml.ts');
  const parsed = parseToml(bytes);
  const origin = (line: number): Origin => ({source: 'user', name: path, line});
  if (!parsed.ok) return {problem: `${originText(origin(parsed.line))}: ${parsed.message}`};
  return {value: parsed.value, originOf: (key) => origin(parsed.lineOf(key))};
}
