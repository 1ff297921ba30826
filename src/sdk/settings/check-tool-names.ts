import {basename, extname, join} from 'node:path';
import {isFettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {MentionFindings} from '../../config/load.ts';
import type {ToolMention} from '../../config/tool-mentions.ts';
import type {ProjectTrust} from '../../config/trust/evaluate-project.ts';
import {isToolFile} from '../../config/trust/trust-item.ts';
import {parseRule, ruleTool, type ParsedRule} from '../../policy/rules/parse-rule.ts';
import {agentName, agentNames, canNameServerTool, PERMISSION_FAMILIES} from '../../policy/rules/tool-families.ts';
import type {ToolPlace} from '../../tools/custom/find-tool-files.ts';

/** Folders with tools of users. */
export interface ToolFolders {
  /** The folder of the person's settings. */
  readonly configDir: string;
  /** `tool_paths`, absolute. */
  readonly toolPaths: readonly string[];
  readonly trust: ProjectTrust;
  /** Names of tools that a program hands in. */
  readonly handedIn?: readonly string[] | undefined;
}

/**
 * Finds rules for tools that cannot exist (design › permissions): a problem if the rule denies or asks, a
 * warning if it allows. Known are the families and names of every toolset, the names of other agents, tools of
 * users (in an untrusted project by the name of the file), and any name that may belong to an MCP server.
 * Toolsets and files are only loaded for a name that no table has.
 */
export async function checkToolNames(mentions: readonly ToolMention[], folders: ToolFolders): Promise<MentionFindings> {
  const open = mentions.map((mention) => ({mention, rule: readRule(mention)})).filter(({rule}) => rule !== undefined && !isUsual(rule));
  if (open.length === 0) return {problems: [], warnings: []};
  const {toolsetToolNames} = await import('../../tools/toolsets/load-toolset.ts');
  const known = [...(await toolsetToolNames()), ...(await customNames(folders)), ...(folders.handedIn ?? [])];
  const left = open.filter(({rule}) => rule !== undefined && !known.some(rule.namesTool));
  if (left.length === 0) return {problems: [], warnings: []};
  const loaded = await loadedNames(folders);
  const unknown = left.filter(({rule}) => rule !== undefined && !loaded.some(rule.namesTool)).map(({mention}) => mention);
  const {nearestWord} = await import('../../base/nearest-word.ts');
  const say = (mention: ToolMention): string => {
    const tool = ruleTool(mention);
    const nearest = /[*|]|^re:/.test(tool) ? undefined : nearestWord(tool, [...PERMISSION_FAMILIES, ...known, ...loaded, ...agentNames()]);
    const advice = nearest === undefined ? '`fettle tools list --all` shows the names' : `did you mean ${nearest}?`;
    const what = mention.what ?? `the rule ${JSON.stringify(mention.text)} ${EFFECT[mention.effect]}`;
    return visibleText(`${mention.source}: ${what}: no tool is called ${tool}; ${advice}`);
  };
  return {
    problems: unknown.filter(({effect}) => effect !== 'allow').map(say),
    warnings: unknown.filter(({effect}) => effect === 'allow').map(say),
  };
}

const EFFECT = {allow: 'allows nothing', ask: 'asks about nothing', deny: 'denies nothing'} as const;

/** An invalid rule is reported elsewhere. */
function readRule(mention: ToolMention): ParsedRule | undefined {
  try {
    return parseRule(mention);
  } catch (thrown) {
    if (isFettleError(thrown)) return undefined;
    throw thrown;
  }
}

/** True for names in the tables. An expression that begins with anything, or contains `mcp`, may mean a tool of a server. */
function isUsual({rule, namesTool, group}: ParsedRule): boolean {
  const tool = ruleTool(rule);
  if (tool.startsWith('re:')) return /^re:\(?\.[*+]|mcp/.test(tool) || [...PERMISSION_FAMILIES, ...agentNames()].some(namesTool);
  if (tool.startsWith('mcp__') || group !== undefined || PERMISSION_FAMILIES.some(namesTool)) return true;
  if (!tool.includes('*')) return rule.effect !== 'allow' && agentName(tool) !== undefined;
  return canNameServerTool(tool) || agentNames().some(namesTool);
}

/** Names of tools by the names of their files. */
async function customNames({configDir, toolPaths, trust}: ToolFolders): Promise<string[]> {
  const [{findToolFiles}, {snakeCase}] = await Promise.all([
    import('../../tools/custom/find-tool-files.ts'),
    import('../../tools/custom/tool-name.ts'),
  ]);
  const {files} = await findToolFiles(placesOf({configDir, toolPaths}));
  const project = trust.items.filter(({kind, path}) => kind === 'tool' && isToolFile(path)).map(({path}) => path);
  return [...files, ...project].map((file) => snakeCase(basename(file, extname(file))));
}

function placesOf({configDir, toolPaths}: Pick<ToolFolders, 'configDir' | 'toolPaths'>): ToolPlace[] {
  return [join(configDir, 'tools'), ...toolPaths].map((path) => ({path, from: 'tools', isExpected: false}));
}

/** Names in the files themselves: of the person's own tools, and of a project that they trust. */
async function loadedNames(folders: ToolFolders): Promise<string[]> {
  const [{loadCustomTools}, {loadToolsetByName}, {projectTools}] = await Promise.all([
    import('../../tools/custom/load-custom-tools.ts'),
    import('../../tools/toolsets/load-toolset.ts'),
    import('../trust/trusted-tools.ts'),
  ]);
  const project = await projectTools({trust: folders.trust, trusted: folders.trust.state === 'trusted'});
  const places = [...project.places, ...placesOf(folders)];
  const {files} = await loadCustomTools({places, toolset: await loadToolsetByName('microcode'), tables: {}, overrides: {}});
  return [...files.keys()];
}
