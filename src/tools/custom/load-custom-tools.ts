import {dirname} from 'node:path';
import {realpath} from 'node:fs/promises';
import {toFettleError} from '../../base/errors.ts';
import type {JsonObject} from '../../base/json.ts';
import type {Tool, Toolset} from '../toolset.ts';
import type {CustomTool} from './define-custom-tool.ts';
import {findToolFiles, type ToolPlace} from './find-tool-files.ts';
import {loadToolFile, readToolValues, type LoadedTool} from './load-tool-file.ts';
import {resolveNameClashes} from './name-clash.ts';
import {publishCustomTool, type PublishedTool} from './publish-custom-tool.ts';
import {ownOptions, readConfig, type ToolTable} from './read-config.ts';
import {resolveContractFor} from './resolve-contract.ts';

export interface CustomToolsRequest {
  /** Weak to strong: a later file takes the name of an earlier one. */
  readonly places: readonly ToolPlace[];
  /** Tools that a program hands in; they take the names of all others but built-in ones. */
  readonly values?: readonly CustomTool[] | undefined;
  /** Custom tools are added after its tools. */
  readonly toolset: Toolset;
  /** `[tools.<name>]` of the configuration. */
  readonly tables: Readonly<Record<string, ToolTable>>;
  /** The places that a trusted project brings along, and its own options for their tools. The tables override those options. */
  readonly ofProject?: {readonly places: readonly ToolPlace[]; readonly tables: Readonly<Record<string, JsonObject>>} | undefined;
  /** Options of this session, by the name of the tool. They override the tables. */
  readonly overrides: Readonly<Record<string, JsonObject>>;
}

export interface CustomTools {
  readonly toolset: Toolset;
  /** The file of each custom tool, by its name; including tools left out because of their configuration. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of the tools of the project. */
  readonly ofProject: readonly string[];
  /** Notices for the user, such as broken files and overridden names, one line each. */
  readonly notices: readonly string[];
  /** Resets the state of all custom tools. */
  reset(): void;
}

/**
 * Finds, loads and publishes the tools of users (vibe tool system › Tool Manager). An invalid file is a notice;
 * an invalid value throws BAD_ARGS.
 */
export async function loadCustomTools(request: CustomToolsRequest): Promise<CustomTools> {
  const {places, values = [], toolset, tables, ofProject, overrides} = request;
  const handedIn = readToolValues(values);
  const {files, problems} = await findToolFiles(places);
  const notices: string[] = [...problems];
  resolveContractFor(await foldersOf(places, files));
  const attempts = await Promise.all(files.map(async (file) => await attempt(file)));
  const builtIn = [...toolset.tools, ...((await toolset.deferred?.()) ?? [])].map((tool) => tool.name);
  const loaded = [...attempts.flatMap((tried) => report(tried, notices)), ...handedIn];
  const chosen = resolveNameClashes(loaded, {builtIn, notices});
  const {files: projectFiles} = await findToolFiles(ofProject?.places ?? []);
  const isOfProject = ({file}: LoadedTool): boolean => projectFiles.includes(file);
  const published = new Map<string, PublishedTool>();
  for (const loaded of chosen.values()) {
    try {
      const below = isOfProject(loaded) ? ofProject : undefined;
      const config = readConfig(loaded.name, loaded.definition.config, optionsOf(loaded, {below, tables, overrides}));
      published.set(loaded.name, publishCustomTool(loaded, config));
    } catch (thrown) {
      notices.push(broken(loaded.file, thrown));
    }
  }
  return {
    toolset: withTools(toolset, published),
    files: new Map([...chosen].map(([name, {file}]) => [name, file])),
    ofProject: [...chosen.values()].filter(isOfProject).map(({name}) => name),
    notices,
    reset() {
      for (const {reset} of published.values()) reset();
    },
  };
}

interface WrittenOptions extends Pick<CustomToolsRequest, 'tables' | 'overrides'> {
  readonly below: CustomToolsRequest['ofProject'];
}

/** Merges options, weak to strong. */
function optionsOf({name}: LoadedTool, {below, tables, overrides}: WrittenOptions): readonly JsonObject[] {
  return [below?.tables[name] ?? {}, ownOptions(tables[name]), overrides[name] ?? {}];
}

type Attempt = {readonly tools: readonly LoadedTool[]} | {readonly notice: string};

async function attempt(file: string): Promise<Attempt> {
  try {
    return {tools: await loadToolFile(file)};
  } catch (thrown) {
    return {notice: broken(file, thrown)};
  }
}

function broken(file: string, thrown: unknown): string {
  const {message, hint} = toFettleError(thrown);
  return `${file}: not loaded: ${message}${hint === undefined ? '' : ` (${hint})`}`;
}

function report(tried: Attempt, notices: string[]): readonly LoadedTool[] {
  if ('notice' in tried) {
    notices.push(tried.notice);
    return [];
  }
  notices.push(...tried.tools.flatMap((tool) => tool.notices));
  return tried.tools;
}

function withTools(toolset: Toolset, published: ReadonlyMap<string, PublishedTool>): Toolset {
  const kept = toolset.tools.map((tool): Tool => published.get(tool.name)?.tool ?? tool);
  const added = [...published.values()].map(({tool}) => tool).filter(({name}) => !toolset.tools.some((tool) => tool.name === name));
  return {...toolset, tools: [...kept, ...added.sort((a, b) => (a.name < b.name ? -1 : 1))]};
}

async function foldersOf(places: readonly ToolPlace[], files: readonly string[]): Promise<string[]> {
  const folders = await Promise.all(places.map(async ({path}) => await realpath(path).catch(() => undefined)));
  return [...new Set([...folders.filter((folder) => folder !== undefined), ...files.map((file) => dirname(file))])];
}
