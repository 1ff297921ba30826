import {counted} from '../../base/counted.ts';
import type {CodeGraph, IndexedFile} from '../code-graph.ts';
import {centrality} from './centrality.ts';
import {fileRole, type FileRole} from './file-roles.ts';

export interface OverviewOptions {
  /** The name of the project, for the title. */
  readonly name: string;
  /** Only what lies below this folder, from the root of the workspace; absent: everything. */
  readonly below?: string | undefined;
}

/**
 * What a newcomer asks of a repository, as Markdown: languages, folders, entry points, the modules that most others depend on with their
 * main symbols, tests, configuration. The same index gives the same text.
 */
export async function projectOverview(graph: CodeGraph, {name, below}: OverviewOptions, signal: AbortSignal): Promise<string> {
  const all = await graph.files(signal);
  const ranks = centrality(all.map(({uses}) => uses));
  const used = new Set(all.flatMap(({uses}, place) => uses.filter((target) => target !== place)));
  const files = all
    .map((file, place) => ({...file, rank: ranks[place] ?? 0, role: fileRole(file.path), isUsed: used.has(place)}))
    .filter(({path}) => !OWN.test(path) && (below === undefined || path.startsWith(`${below}/`)));
  const modules = await importantModules(files, graph, signal);
  const sections = [
    [`# ${name}${below === undefined ? '' : `/${below}`}: overview`],
    section('Languages', languages(files)),
    section('Folders', folders(files, below)),
    section('Entry points', inRole(files, 'entry', MOST.entries)),
    section('Important modules', modules),
    section('Tests', tests(files)),
    section('Configuration', inRole(files, 'config', MOST.configs)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

interface RankedFile extends IndexedFile {
  readonly rank: number;
  readonly role: FileRole;
  /** By another file. */
  readonly isUsed: boolean;
}

/** Where overviews are kept: an overview is nothing of the project. */
const OWN = /^\.(?:fettle|zblade)\//;
/** Outlines, and no modules that others could use. */
const DATA: ReadonlySet<string> = new Set(['json', 'yaml', 'toml', 'markdown']);

const MOST = {folders: 10, entries: 12, modules: 8, symbols: 6, tests: 8, configs: 12};

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, ...lines];
}

function languages(files: readonly RankedFile[]): string[] {
  const groups = Object.entries(Object.groupBy(files, ({language}) => language)).map(([language, of = []]) => ({language, of}));
  groups.sort((a, b) => b.of.length - a.of.length || order(a.language, b.language));
  return groups.map(({language, of}) => `- ${language}: ${counts(of)}`);
}

/** Those of the second level, where most projects divide their work; of the first where there is nothing below. */
function folders(files: readonly RankedFile[], below: string | undefined): string[] {
  const depth = below === undefined ? 0 : below.split('/').length;
  const folderAt = (path: string, levels: number): string | undefined => {
    const parts = path.split('/').slice(0, -1);
    return parts.length < depth + levels ? undefined : parts.slice(0, depth + levels).join('/');
  };
  const groups = new Map<string, RankedFile[]>();
  for (const file of files) {
    const first = folderAt(file.path, 1);
    if (first === undefined) continue;
    const folder = folderAt(file.path, 2) ?? first;
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [file]);
    else group.push(file);
  }
  return [...groups]
    .toSorted(([a, ofA], [b, ofB]) => total(ofB) - total(ofA) || order(a, b))
    .slice(0, MOST.folders)
    .map(([folder, of]) => `- ${folder}/: ${counts(of)}`);
}

function inRole(files: readonly RankedFile[], role: FileRole, most: number): string[] {
  const found = files.filter((file) => file.role === role);
  const depth = (path: string): number => path.split('/').length;
  found.sort((a, b) => depth(a.path) - depth(b.path) || b.rank - a.rank || order(a.path, b.path));
  return [...found.slice(0, most).map(({path}) => `- ${path}`), ...rest(found.length, most)];
}

async function importantModules(files: readonly RankedFile[], graph: CodeGraph, signal: AbortSignal): Promise<string[]> {
  const modules = files
    .filter(({role, exported, isUsed, language}) => role !== 'test' && role !== 'config' && (exported > 0 || isUsed) && !DATA.has(language))
    .toSorted((a, b) => b.rank - a.rank || order(a.path, b.path))
    .slice(0, MOST.modules);
  const lines: string[] = [];
  for (const {path} of modules) {
    const outline = await graph.outline(path, signal);
    const exported = outline.filter(({symbol}) => symbol.exported);
    // A constant and its type have one name; CommonJS exports its values by an assignment.
    const names = [...new Set((exported.length > 0 ? exported : outline).map(({symbol}) => symbol.qualifiedName))];
    if (names.length === 0) continue;
    lines.push(`- ${path}: ${names.slice(0, MOST.symbols).join(', ')}${names.length > MOST.symbols ? ', …' : ''}`);
  }
  return lines;
}

function tests(files: readonly RankedFile[]): string[] {
  const groups = Object.entries(Object.groupBy(files, ({path, role}) => (role === 'test' ? path.slice(0, path.lastIndexOf('/') + 1) : '')));
  const found = groups.filter(([folder]) => folder !== '').map(([folder, of = []]) => ({folder, count: of.length}));
  found.sort((a, b) => b.count - a.count || order(a.folder, b.folder));
  return [
    ...found.slice(0, MOST.tests).map(({folder, count}) => `- ${folder}: ${counted(count, 'file')}`),
    ...rest(found.length, MOST.tests),
  ];
}

function rest(count: number, shown: number): string[] {
  return count > shown ? [`- … and ${count - shown} more`] : [];
}

function counts(files: readonly RankedFile[]): string {
  return `${counted(files.length, 'file')}, ${counted(total(files), 'symbol')}`;
}

function total(files: readonly RankedFile[]): number {
  return files.reduce((sum, {symbols}) => sum + symbols, 0);
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
