import * as z from 'zod/mini';
import {counted} from '../../../base/counted.ts';
import {runShell} from '../../operations/exec/run-shell.ts';
import * as late from '../late-operations.ts';
import {defineTool, type Toolset} from '../../toolset.ts';
import {exitText, failed} from '../exit-text.ts';
import {CAPTURE, commandOutput} from './fettle-output.ts';
import {sessionTools} from './fettle-session.ts';
import {symbols} from './fettle-symbols.ts';
import {groupedMatches} from '../grep-text.ts';
import {PLAN_TOOLS} from '../plan-tools.ts';
import {emptyRead, moreLines, numberedLines} from '../read-text.ts';
import * as alias from '../../compat/parameter-aliases.ts';

const described = (text: string) => z.string().check(z.describe(text));

const READ = {limit: 2000, maxBytes: 50_000, maxLineChars: 2000};
const MAX_ENTRIES = 300;
const MAX_FILES = 200;
const GREP = {maxMatches: 100, maxLineChars: 250, maxContext: 10};
const TIMEOUT = {default: 120_000, max: 600_000};

const read = defineTool({
  name: 'read',
  description: 'Read a text file. Shows <line number><tab><line>; up to 2000 lines or 50 KB at once.',
  input: z.object({
    path: z.string(),
    offset: z.optional(z.int().check(z.minimum(0), z.describe('first line, from 1'))),
    limit: z.optional(z.int().check(z.minimum(1), z.describe('lines'))),
  }),
  aliases: alias.aliasesOf({path: alias.FILE, offset: alias.FIRST_LINE, limit: alias.LINE_COUNT}),
  operation: late.readFile,
  toArgs: ({path, offset, limit}) => ({path, firstLine: Math.max(1, offset ?? 1), maxLines: limit ?? READ.limit, maxBytes: READ.maxBytes}),
  render(result) {
    const text = emptyRead(result) ?? numberedLines(result, READ.maxLineChars);
    return {
      text: result.truncated ? `${text}\n${moreLines(result)}` : text,
      summary: `${result.path}: ${counted(result.lines.length, 'line')}`,
    };
  },
});

const edit = defineTool({
  name: 'edit',
  description:
    'Replace old_string by new_string in a file. old_string is exact text without line numbers and must be unique, unless replace_all.',
  input: z.object({path: z.string(), old_string: z.string(), new_string: z.string(), replace_all: z.optional(z.boolean())}),
  aliases: alias.aliasesOf({
    path: alias.FILE,
    old_string: alias.OLD_TEXT,
    new_string: alias.NEW_TEXT,
    replace_all: alias.EVERY,
  }),
  operation: late.editText,
  toArgs: ({path, old_string: oldText, new_string: newText, replace_all: replaceAll}) => ({
    path,
    edit: {form: 'exact' as const, oldText, newText, replaceAll: replaceAll ?? false},
  }),
  render({path, file, applied}) {
    const text = `Edited ${path}: ${counted(applied, 'replacement')}.`;
    return {text, summary: text, changes: [{path: file, kind: 'update'}]};
  },
});

const write = defineTool({
  name: 'write',
  description: 'Create a file or replace all of it. To change a part, use edit.',
  input: z.object({path: z.string(), content: z.string()}),
  aliases: alias.aliasesOf({path: alias.FILE, content: alias.CONTENT}),
  operation: late.writeFile,
  toArgs: ({path, content}) => ({path, content, ifChanged: 'refuse'}),
  render({path, file, created, bytes}) {
    const text = `${created ? 'Created' : 'Replaced'} ${path} (${counted(bytes, 'byte')}).`;
    return {text, summary: text, changes: [{path: file, kind: created ? 'add' : 'update'}]};
  },
});

const glob = defineTool({
  name: 'glob',
  description: 'Find files by path pattern, e.g. **/*.ts or src/*.{c,h}. Sorted; honors .gitignore.',
  input: z.object({
    pattern: z.string(),
    path: z.optional(described('folder to search')),
    hidden: z.optional(z.boolean().check(z.describe('dot files, too'))),
  }),
  aliases: alias.aliasesOf({pattern: alias.PATH_PATTERN, path: alias.FOLDER, hidden: alias.HIDDEN}),
  operation: late.findFiles,
  toArgs: ({pattern, path, hidden}) => ({
    path: path ?? '.',
    pattern,
    dialect: 'bash',
    order: 'path',
    limit: MAX_FILES,
    // As in bash: a leading dot must be explicit; wildcards do not match it.
    hidden: hidden ?? false,
  }),
  render({paths, truncated}) {
    const lines = truncated ? [...paths, `[only the first ${MAX_FILES}; narrow the pattern]`] : paths;
    return {text: lines.join('\n') || '(no files)', summary: counted(paths.length, 'file')};
  },
});

const grep = defineTool({
  name: 'grep',
  description: 'Search file contents by regular expression (Rust syntax). Honors .gitignore.',
  input: z.object({
    pattern: z.string(),
    path: z.optional(described('folder or file')),
    glob: z.optional(described('only files like *.ts or src/**')),
    ignore_case: z.optional(z.boolean()),
    context: z.optional(z.int().check(z.minimum(0), z.describe('lines around'))),
    multiline: z.optional(z.boolean()),
  }),
  aliases: alias.aliasesOf({
    pattern: alias.TEXT_PATTERN,
    path: alias.FOLDER,
    glob: alias.FILTER,
    ignore_case: alias.ANY_CASE,
    context: alias.CONTEXT,
  }),
  operation: late.searchText,
  toArgs: ({pattern, path, glob: only, ignore_case: caseInsensitive, context, multiline}) => ({
    path: path ?? '.',
    pattern,
    globs: only === undefined ? [] : [only],
    caseInsensitive: caseInsensitive ?? false,
    multiline: multiline ?? false,
    contextLines: Math.min(context ?? 0, GREP.maxContext),
    maxMatches: GREP.maxMatches,
    maxLineChars: GREP.maxLineChars,
  }),
  render({matches, truncated, timedOut}) {
    const notes = [
      ...(truncated ? [`[only the first ${GREP.maxMatches} matches; narrow the search]`] : []),
      ...(timedOut ? ['[the search ran out of time: there may be more]'] : []),
    ];
    const text = [groupedMatches(matches), ...notes].filter((part) => part !== '').join('\n');
    return {text: text === '' ? '(no matches)' : text, summary: counted(matches.length, 'match', 'matches')};
  },
});

const ls = defineTool({
  name: 'ls',
  description: 'List a folder; folders end with /.',
  input: z.object({path: z.optional(z.string())}),
  aliases: alias.aliasesOf({path: alias.FOLDER}),
  operation: late.listFolder,
  toArgs: ({path}) => ({path: path ?? '.', limit: MAX_ENTRIES, hidden: true}),
  render({path, entries, total}) {
    const lines = entries.map(({name, isFolder}) => (isFolder ? `${name}/` : name));
    if (total > entries.length) lines.push(`[only the first ${MAX_ENTRIES}; use glob]`);
    return {text: lines.join('\n') || '(empty)', summary: `${path}: ${counted(entries.length, 'entry', 'entries')}`};
  },
});

const bash = defineTool({
  name: 'bash',
  description:
    'Run a command with bash in the workspace; each call is a new shell. Long output is shown by its beginning and end; the rest is in a file.',
  input: z.object({
    command: z.string(),
    timeout_ms: z.optional(z.int().check(z.minimum(1), z.describe('default 120000, at most 600000'))),
  }),
  aliases: alias.aliasesOf({command: alias.COMMAND, timeout_ms: alias.TIME_LIMIT}),
  operation: runShell,
  toArgs: ({command, timeout_ms: timeout}) => ({command, timeoutMs: Math.min(milliseconds(timeout), TIMEOUT.max), ...CAPTURE}),
  render: (result, {command}) => ({
    text: commandOutput(result),
    summary: failed(result) ? `exit code ${exitText(result)}` : counted(result.stdout.totalLines, 'line'),
    isError: failed(result),
    command: {line: command, exitCode: result.exitCode},
    spoolPath: result.stdout.spillPath ?? result.stderr.spillPath,
  }),
});

/** A number too small for milliseconds is meant in seconds, as in other agents. */
function milliseconds(timeout: number | undefined): number {
  if (timeout === undefined) return TIMEOUT.default;
  return timeout < 1000 ? timeout * 1000 : timeout;
}

const deferred = async () => (await import('./fettle-deferred.ts')).deferredTools();

/** The default toolset: the tools that models are used to, described in few words; all others are found by tool_search. */
export const fettle: Toolset = {
  name: 'fettle',
  tools: [read, edit, write, glob, grep, ls, symbols, bash, ...sessionTools(deferred), ...PLAN_TOOLS],
  deferred,
  accepts: () => true,
  renderError: ({message, hint}) => (hint === undefined ? `Error: ${message}` : `Error: ${message}\n${hint}`),
  // Above the largest result of `read`: text read from a spool file is never spooled again.
  outputBound: {maxBytes: 80_000, maxLines: 4000},
  asksForReads: true,
};
