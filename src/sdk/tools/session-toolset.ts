import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {JsonObject} from '../../base/json.ts';
import {nearestWord} from '../../base/nearest-word.ts';
import type {CustomTool} from '../../tools/custom/define-custom-tool.ts';
import type {ToolPlace} from '../../tools/custom/find-tool-files.ts';
import type {CustomToolsRequest} from '../../tools/custom/load-custom-tools.ts';
import {AUTO_TOOLS} from '../settings/auto-model.ts';
import {selectTools} from '../../tools/toolsets/select-tools.ts';
import type {Toolset} from '../../tools/toolset.ts';
import {loadToolsetByName} from '../../tools/toolsets/load-toolset.ts';
import {withHome} from '../settings/own-files.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {projectTools} from '../trust/trusted-tools.ts';
import {toolRuleNotices} from '../settings/tool-rules.ts';

export interface LoadedToolset {
  readonly toolset: Toolset;
  /** The file of each tool that is not built in, by its name; including tools that were left out because of their configuration. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of the tools whose files come from a trusted project. */
  readonly ofProject: readonly string[];
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
  /** Resets the state of the users' tools. */
  reset(): void;
}

/** Tools that a program hands in, besides the settings. */
export interface HandedIn {
  /** Options of tools for this session, by the name of the tool. They override `[tools.<name>]`. */
  readonly toolOptions?: Readonly<Record<string, JsonObject>> | undefined;
  /** Tools as values, added to the toolset. */
  readonly tools?: readonly CustomTool[] | undefined;
}

/**
 * Loads the configured toolset with the tools of the user, without those that are switched off. The loader for
 * tools of users is imported only if there are any. Throws CONFIG for an unknown toolset, and BAD_ARGS for an
 * invalid tool that is handed in; an invalid file is a notice.
 */
export async function loadToolset(session: SessionSettings, {toolOptions = {}, tools: values = []}: HandedIn = {}): Promise<LoadedToolset> {
  const {settings} = session;
  const isSet = settings.toolset !== AUTO_TOOLS;
  const named = isSet ? {name: settings.toolset, notices: []} : (await import('./offered-tools.ts')).firstToolset(settings);
  const [builtIn, project, own] = await Promise.all([loadToolsetByName(named.name), projectTools(session), placesOf(session)]);
  // Weakest, since a project must not replace a tool of the person.
  const places = [...project.places, ...own];
  const ofProject = {places: project.places, tables: settings.project_tools ?? {}};
  const loaded = await withCustomTools(builtIn, {places, values, tables: settings.tools, ofProject, overrides: toolOptions});
  const changed = await project.changed();
  const custom =
    changed === undefined
      ? loaded
      : {...(await withCustomTools(builtIn, {places: [], values, tables: settings.tools, overrides: toolOptions})), notices: [changed]};
  const names = custom.toolset.tools.map((tool) => tool.name);
  const selected = selectTools(custom.toolset, settings);
  const {edit_dialect: dialect} = settings;
  const isOwn = dialect === 'own' || dialect === AUTO_TOOLS;
  const offered = isOwn ? {toolset: selected, notices: []} : await (await import('./offered-tools.ts')).inDialect(selected, dialect);
  return {
    ...custom,
    toolset: session.toolsetChosen === true ? {...offered.toolset, asksForReads: true} : offered.toolset,
    notices: [
      ...named.notices,
      ...offered.notices,
      ...project.notices,
      ...custom.notices,
      ...toolRuleNotices(session),
      ...unusedOptions(session, custom.files, names),
      ...foreignOptions(session, custom.ofProject),
    ],
  };
}

/** Ordered from weak to strong. */
async function placesOf({settings, paths, home}: SessionSettings): Promise<ToolPlace[]> {
  const named = settings.tool_paths.map((path) => ({path: withHome(path, home), from: 'tool_paths', isExpected: true}));
  const user = join(paths.configDir, 'tools');
  return (await exists(user)) ? [...named, {path: user, from: 'your tools folder', isExpected: false}] : named;
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

async function withCustomTools(toolset: Toolset, request: Omit<CustomToolsRequest, 'toolset'>): Promise<LoadedToolset> {
  if (request.places.length === 0 && request.values?.length === 0)
    return {toolset, files: new Map(), ofProject: [], notices: [], reset: () => undefined};
  const {loadCustomTools} = await import('../../tools/custom/load-custom-tools.ts');
  return await loadCustomTools({...request, toolset});
}

/** Returns options that nothing reads, most likely because of a mistyped name. Tools of servers may be missing at this point. */
function unusedOptions({settings}: SessionSettings, files: LoadedToolset['files'], names: readonly string[]): string[] {
  return Object.entries(settings.tools).flatMap(([name, table]) => {
    if (files.has(name) || name.startsWith('mcp__')) return [];
    const options = Object.keys(table).filter((key) => !['permission', 'allowlist', 'denylist'].includes(key));
    if (names.includes(name)) return options.map((key) => `tools.${name}.${key}: unknown key: ${name} has no options of its own`);
    // Rules for a tool that cannot exist are reported where all rules are checked.
    if (options.length === 0) return [];
    const nearest = nearestWord(name, names);
    return [`tools.${name}: there is no such tool${nearest === undefined ? '' : `; did you mean ${nearest}?`}`];
  });
}

/** Returns options that a project sets for tools other than its own. */
function foreignOptions({settings}: SessionSettings, ofProject: readonly string[]): string[] {
  const foreign = Object.entries(settings.project_tools ?? {}).filter(([name]) => !ofProject.includes(name));
  return foreign.flatMap(([name, table]) =>
    Object.keys(table).map((key) => `tools.${name}.${key} of the project: not applied: ${name} is not one of its own tools`),
  );
}
