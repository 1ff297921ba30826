import {join} from 'node:path';
import {FettleError} from '../base/errors.ts';
import type {JsonObject} from '../base/json.ts';
import {isRegularFile, readIfThere} from './config-file.ts';
import {DEFAULTS} from './defaults.ts';
import {mergeSources, type Merged} from './merge.ts';
import {originText, type Origin, type Source} from './origin.ts';
import {flagSources, unknownVariables, variableSources, type Flags} from './overrides.ts';
import {fettlePaths, type Surroundings} from './paths.ts';
import type {ProjectSources} from './trust/project-sources.ts';
import type {TrustItem} from './trust/trust-item.ts';
import {toolMentions, type ToolMention} from './tool-mentions.ts';
import {typedSources, type TypedOptions} from './typed-options.ts';
import {validate} from './validate.ts';

export interface LoadRequest extends Surroundings {
  /** Absolute; the root of the project, which may contain `.fettle/config.toml`. */
  readonly cwd: string;
  readonly flags?: Flags | undefined;
  /** Settings of an embedding program; they override flags. */
  readonly options?: TypedOptions | undefined;
  /** The files of settings that a trusted project brings along; without them nothing of a project is applied. */
  readonly project?: readonly TrustItem[] | undefined;
  /** Checks rules for tools that cannot exist, besides the form of the settings; absent: not checked. */
  readonly checkTools?: CheckTools | undefined;
  /** True: errors are returned as `problems`, and settings with mistakes are left out. */
  readonly lenient?: boolean | undefined;
}

/** Receives all mentions of tools in the sources, and the folders of tools that they name. */
export type CheckTools = (mentions: readonly ToolMention[], toolPaths: readonly string[]) => Promise<MentionFindings>;

/** One line each, with the place. */
export interface MentionFindings {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export interface LoadedConfig extends Merged {
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
  readonly files: readonly ConfigFileState[];
  /** Set only on request, one line each. */
  readonly problems?: readonly string[];
}

interface ConfigFileState {
  readonly source: 'user' | 'project';
  readonly path: string;
  readonly exists: boolean;
  /** False for a file that exists but was not used. */
  readonly applied: boolean;
}

/**
 * Reads the settings: defaults, then the user's file, then what a trusted project narrows, then `FETTLE_*` variables, then flags and options;
 * the later one wins, tables merge key by key, lists replace, rules add up.
 * Throws CONFIG with one line for each problem of all sources: place, key, and what is allowed there.
 */
export async function loadConfig(request: LoadRequest): Promise<LoadedConfig> {
  const {env, home, cwd, flags = {}, options = {}, project = [], checkTools, lenient} = request;
  const user = fettlePaths({env, home}).configFile;
  const projectFile = join(cwd, '.fettle', 'config.toml');
  const bytes = await readIfThere(user);
  const hasProject = projectFile !== user && (await isRegularFile(projectFile));
  const overrides = [...variableSources(env), ...flagSources(flags), ...typedSources(options)];
  const file = bytes === undefined ? undefined : {path: user, bytes};
  const checked = await check({file, project, root: cwd, env, overrides, checkTools});
  if (checked.problems.length > 0 && lenient !== true) throw broken(checked.problems);
  const unknown = await unknownVariables(env);
  return {
    ...mergeSources(DEFAULTS, checked.sources),
    notices: [...checked.warnings, ...unknown],
    ...(lenient === true ? {problems: checked.problems} : {}),
    files: [
      {source: 'user', path: user, exists: bytes !== undefined, applied: bytes !== undefined},
      {source: 'project', path: projectFile, exists: hasProject, applied: project.some(({kind}) => kind === 'config')},
    ],
  };
}

interface SettingInput {
  readonly file: NamedBytes | undefined;
  readonly project: readonly TrustItem[];
  readonly root: string;
  readonly env: Surroundings['env'];
  readonly overrides: readonly Source[];
  readonly checkTools: CheckTools | undefined;
}

interface Checked {
  readonly sources: readonly Source[];
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
}

async function check({file, project, root, env, overrides, checkTools}: SettingInput): Promise<Checked> {
  const fromUser = file === undefined ? [] : [await parseFile(file, 'user')];
  const fromProject = project.length === 0 ? NONE : await projectSources(project, {root, env});
  const readings = [...fromUser, ...fromProject.readings, ...overrides];
  const verdicts = await Promise.all(
    readings.map(async (reading) =>
      'problem' in reading ? {...reading, problems: [reading.problem]} : {...reading, ...(await validate(reading))},
    ),
  );
  const readable = verdicts.flatMap((verdict) => ('problem' in verdict ? [] : [verdict]));
  const tools = await checkTools?.(readable.flatMap(toolMentions), readable.flatMap(toolPaths));
  const readableAmong = (part: typeof verdicts): number => part.filter((verdict) => !('problem' in verdict)).length;
  const sound = readable.map((verdict) => ({...verdict, value: verdict.sound}));
  const narrowed = await narrowAll(sound, {
    first: readableAmong(verdicts.slice(0, fromUser.length)),
    count: readableAmong(verdicts.slice(fromUser.length, fromUser.length + fromProject.readings.length)),
  });
  return {
    sources: narrowed.sources,
    warnings: [...readable.flatMap(({warnings}) => warnings), ...(tools?.warnings ?? []), ...fromProject.problems, ...narrowed.notices],
    problems: [...verdicts.flatMap(({problems}) => problems), ...(tools?.problems ?? [])],
  };
}

function toolPaths({value: {tool_paths: paths}}: Source): string[] {
  return Array.isArray(paths) ? paths.filter((path): path is string => typeof path === 'string') : [];
}

function broken(problems: readonly string[]): FettleError {
  return new FettleError({
    code: 'CONFIG',
    message: problems.join('\n'),
    hint: 'Fix it. `fettle config check` checks the result; `fettle config schema` shows what is allowed.',
  });
}

const NONE = {readings: [], problems: []};

async function projectSources(items: readonly TrustItem[], place: {root: string; env: Surroundings['env']}): Promise<ProjectSources> {
  const {readProjectSources} = await import('./trust/project-sources.ts');
  return await readProjectSources(items, {...place, parse: (file) => parseFile(file, 'project')});
}

/** Each source of a project narrows those below it. */
async function narrowAll(
  sources: readonly Source[],
  {first, count}: {first: number; count: number},
): Promise<{sources: Source[]; notices: string[]}> {
  if (count === 0) return {sources: [...sources], notices: []};
  const {narrow} = await import('./trust/narrow.ts');
  const done = sources.slice(0, first);
  const notices: string[] = [];
  for (const source of sources.slice(first, first + count)) {
    const narrowed = narrow(source, mergeSources(DEFAULTS, done).settings as unknown as JsonObject);
    done.push(narrowed.source);
    notices.push(...narrowed.notices);
  }
  return {sources: [...done, ...sources.slice(first + count)], notices};
}

interface NamedBytes {
  readonly path: string;
  readonly bytes: Uint8Array;
}

async function parseFile({path, bytes}: NamedBytes, source: 'user' | 'project'): Promise<Source | {readonly problem: string}> {
  const {parseToml} = await import('./parse-toml.ts');
  const parsed = parseToml(bytes);
  const origin = (line: number): Origin => ({source, name: path, line});
  if (!parsed.ok) return {problem: `${originText(origin(parsed.line))}: ${parsed.message}`};
  return {value: parsed.value, originOf: (key) => origin(parsed.lineOf(key))};
}
