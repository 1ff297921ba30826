import * as z from 'zod/mini';
import {counted} from '../../../base/counted.ts';
import {findFilesOperation} from '../../operations/search/find-files.ts';
import {findNames} from '../../operations/search/find-names.ts';
import {listFolderOperation, type ListFolderResult} from '../../operations/fs/list-folder.ts';
import {searchText, type TextMatch} from '../../operations/search/search-text.ts';
import {defineTool, type Tool} from '../../toolset.ts';
import {alsoNamed, capped, described, FOLDER_PARAMETER, wholeNumber} from './blade-parameters.ts';
import * as alias from '../../compat/parameter-aliases.ts';

/** "Max returned entries. Defaults to 50, capped at 200." */
const ENTRIES = {default: 50, max: 200};
/** "Max traversal depth. Defaults to 2." */
const DEPTH = 2;
/** As the client of "zblade tool calls" has it: "common heavy/generated directories are skipped". */
const HEAVY = (
  'node_modules __pycache__ .git target dist build .next .nuxt vendor .venv venv env .cargo .rustup tmp temp .cache cache coverage ' +
  '.coverage logs Pods .idea .vscode obj bin .zig-cache zig-out'
).split(' ');
const MAX_FOUND = 200;
/** No cap is promised for names and matches; more than this is not useful. */
const MAX_LISTED = 5000;
const MAX_LINE_CHARS = 2000;
const GREP_TIMEOUT = {default: 8000, min: 500, max: 30_000};
/** For searches without a limit of their own. */
const SEARCH_TIMEOUT_MS = 30_000;

const structure = defineTool({
  name: 'get_workspace_structure',
  description: 'Show a tree of the workspace or a directory in it. Hidden, ignored and generated directories are left out.',
  input: z.object({
    path: z.optional(described('default "."')),
    depth: wholeNumber('max depth, default 2'),
    limit: wholeNumber('max entries, default 50, at most 200'),
  }),
  aliases: FOLDER_PARAMETER,
  operation: listFolderOperation,
  toArgs: ({path, depth, limit}) => ({path: path ?? '.', depth: depth ?? DEPTH, limit: capped(limit, ENTRIES), hidden: false, skip: HEAVY}),
  render: treeText,
});

const listDir = defineTool({
  name: 'list_dir',
  description: 'List a directory. get_workspace_structure goes deeper.',
  input: z.object({path: z.optional(described('default "."'))}),
  aliases: FOLDER_PARAMETER,
  operation: listFolderOperation,
  // The tool has no limit parameter, so it uses the highest limit.
  toArgs: ({path}) => ({path: path ?? '.', limit: ENTRIES.max, hidden: false, skip: HEAVY}),
  render: treeText,
});

function treeText({folder, entries, total}: ListFolderResult): {text: string; summary: string} {
  const lines = entries.map(({name, level, kind}) => `${'  '.repeat(level)}${name}${kind === 'directory' ? '/' : ''}`);
  const cut = total > entries.length;
  if (cut) lines.push(`(showing ${entries.length} of ${total} entries, use a more specific path or increase limit)`);
  return {text: [`Directory: ${folder}`, ...lines].join('\n'), summary: counted(total, 'entry', 'entries')};
}

const findByName = defineTool({
  name: 'find_files',
  description: 'Find files and directories by a part of their name (case-sensitive).',
  input: z.object({
    pattern: described('part of the name'),
    path: z.optional(described('search root, default "."')),
    max_depth: wholeNumber('max depth'),
  }),
  aliases: alias.aliasesOf({pattern: ['query', 'name'], path: alias.FOLDER}),
  operation: findNames,
  toArgs: ({pattern, path, max_depth: maxDepth}) => ({path: path ?? '.', part: pattern, maxDepth, limit: MAX_LISTED}),
  render: ({paths, truncated}) => foundPaths(paths, truncated, MAX_LISTED),
});

const findFilesGlob = defineTool({
  name: 'find_files_glob',
  description: 'Find files by a glob pattern; "*" also crosses directories. Up to 200, ordered by path.',
  input: z.object({
    pattern: described('e.g. src/**/*.rs'),
    path: z.optional(described('base path, default "."')),
    case_sensitive: z.optional(z.boolean().check(z.describe('default false'))),
  }),
  aliases: alias.aliasesOf({pattern: ['glob'], path: alias.FOLDER}),
  operation: findFilesOperation,
  toArgs: ({pattern, path, case_sensitive: caseSensitive}) => ({
    path: path ?? '.',
    pattern,
    dialect: 'crossing' as const,
    order: 'path' as const,
    limit: MAX_FOUND,
    hidden: true,
    ignoreFiles: false,
    caseInsensitive: caseSensitive !== true,
  }),
  render: ({paths, truncated}) => foundPaths(paths, truncated, MAX_FOUND),
});

function foundPaths(paths: readonly string[], truncated: boolean, limit: number): {text: string; summary: string} {
  const lines = truncated ? [...paths, `... (truncated after ${limit} results)`] : paths;
  return {text: lines.join('\n') || 'No matching files found.', summary: counted(paths.length, 'result')};
}

const grepSearch = defineTool({
  name: 'grep_search',
  description: 'Search file contents by a regular expression (Rust syntax). Matches as path:line:text.',
  input: z.object({
    pattern: described('regex'),
    path: z.optional(described('search root, default "."')),
    include_dependencies: z.optional(z.boolean().check(z.describe('also node_modules and vendor, default false'))),
    timeout_ms: wholeNumber('default 8000, from 500 to 30000'),
  }),
  aliases: alias.aliasesOf({pattern: ['query', 'regex'], path: alias.FOLDER}),
  operation: searchText,
  toArgs: ({pattern, path, include_dependencies: dependencies, timeout_ms: timeout}) => ({
    path: path ?? '.',
    pattern,
    dependencies: dependencies === true ? ('include' as const) : ('exclude' as const),
    maxMatches: MAX_LISTED,
    maxLineChars: MAX_LINE_CHARS,
    timeoutMs: grepTimeout(timeout),
  }),
  render({matches, truncated, timedOut}, {path, timeout_ms: timeout}) {
    const lines = matches.map((match) => `${match.path}:${match.line}:${match.text}`);
    const summary = counted(lines.length, 'match', 'matches');
    if (timedOut) return timeoutReply(lines, path ?? '.', grepTimeout(timeout));
    if (truncated) lines.push(`... (truncated after ${MAX_LISTED} results)`);
    return {text: lines.join('\n') || '(no matches)', summary};
  },
});

function grepTimeout(requested: number | undefined): number {
  return Math.max(GREP_TIMEOUT.min, capped(requested, GREP_TIMEOUT));
}

/** "It returns structured JSON with partial results and a hint": a success, with what was found in time. */
function timeoutReply(
  lines: readonly string[],
  path: string,
  timeoutMs: number,
): {text: string; summary: string; structured: object; isJson: true} {
  const payload = {
    timed_out: true,
    timeout_ms: timeoutMs,
    partial_results: lines,
    result_count: lines.length,
    searched_path: path,
    next_step_hint: 'Search a smaller path, use a more specific pattern, or raise timeout_ms (at most 30000).',
  };
  return {
    text: JSON.stringify(payload),
    isJson: true,
    summary: `timed out with ${counted(lines.length, 'match', 'matches')}`,
    structured: payload,
  };
}

const codebaseSearch = defineTool({
  name: 'codebase_search',
  description: 'Search the code base by a regular expression; shows each match with the lines around it.',
  input: z.object({
    query: described('regex'),
    file_pattern: z.optional(described('comma-separated filename patterns, e.g. *.ts,Makefile')),
    max_results: wholeNumber('default 50'),
  }),
  aliases: alias.aliasesOf({query: ['pattern', 'regex'], file_pattern: ['file_patterns', 'include']}),
  operation: searchText,
  toArgs: ({query, file_pattern: patterns, max_results: max}) => ({
    path: '.',
    pattern: query,
    globs: (patterns ?? '').split(',').flatMap((pattern) => pattern.trim() || []),
    dependencies: 'exclude' as const,
    contextLines: 2,
    maxMatches: max ?? 50,
    maxLineChars: MAX_LINE_CHARS,
    timeoutMs: SEARCH_TIMEOUT_MS,
  }),
  render(result, {query, max_results: max}) {
    const {matches, truncated, timedOut} = result;
    const late = timedOut ? ['(the search ran out of time: there may be more)'] : [];
    if (matches.length === 0) return {text: [`No matches found for query: '${query}'`, ...late].join('\n'), summary: '0 matches'};
    const found = `${matches.length}${truncated ? ' or more' : ''} ${matches.length === 1 ? 'match' : 'matches'}`;
    const heading = `Found ${found} for '${query}' (showing up to ${max ?? 50}):`;
    return {text: [heading, ...matches.map(matchText), ...late].join('\n\n'), summary: found};
  },
});

function matchText({path, line, text, before, after}: TextMatch): string {
  const around = (lines: readonly string[], first: number): string[] => lines.map((other, index) => `    ${first + index}: ${other}`);
  return [`${path}:${line}`, ...around(before, line - before.length), `>>> ${line}: ${text}`, ...around(after, line + 1)].join('\n');
}

/** "Directory and Search Tools" of "zblade tool calls". */
export const SEARCH_TOOLS: readonly Tool[] = [
  listDir,
  alsoNamed('list_directory', listDir),
  structure,
  findByName,
  findFilesGlob,
  alsoNamed('glob', findFilesGlob),
  grepSearch,
  alsoNamed('rg', grepSearch),
  codebaseSearch,
];
