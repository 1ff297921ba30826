import * as z from 'zod/mini';
import {counted} from '../../base/counted.ts';
import {editText} from '../operations/edit/edit-text.ts';
import {findFilesOperation} from '../operations/search/find-files.ts';
import {listFolderOperation} from '../operations/fs/list-folder.ts';
import {readFile} from '../operations/fs/read-file.ts';
import {runShell} from '../operations/exec/run-shell.ts';
import {searchText} from '../operations/search/search-text.ts';
import {writeFile} from '../operations/fs/write-file.ts';
import {defineTool, type Toolset} from '../toolset.ts';
import {exitText, failed} from './exit-text.ts';
import {combinedOutput, MAX_OUTPUT_BYTES, SPILL_ABOVE} from './microcode-output.ts';
import {emptyRead, moreLines, numberedLines} from './read-text.ts';
import * as alias from '../compat/parameter-aliases.ts';

const described = (text: string) => z.string().check(z.describe(text));

/** "1-indexed line to start at. Default 1", "max lines to return. Default 2000", "Files larger than 1.5 MB return an error". */
const READ = {limit: 2000, maxFileBytes: 1_500_000, maxBytes: 1_500_000};
/** "Returns up to 500 entries". */
const MAX_ENTRIES = 500;
/** "Returns up to 200 matches", of glob and of grep. */
const MAX_MATCHES = 200;
/** "max ms. Defaults to 120000, capped at 600000". */
const TIMEOUT = {default: 120_000, max: 600_000};

const read = defineTool({
  name: 'read',
  description: 'Read a UTF-8 text file. Each line is shown as <line number><tab><line>.',
  input: z.object({
    path: described('relative to cwd or absolute'),
    offset: z.optional(z.int().check(z.minimum(0), z.describe('1-indexed line to start at, default 1'))),
    limit: z.optional(z.int().check(z.minimum(1), z.describe('max lines, default 2000'))),
  }),
  aliases: alias.aliasesOf({path: alias.FILE, offset: alias.FIRST_LINE, limit: alias.LINE_COUNT}),
  operation: readFile,
  toArgs: ({path, offset, limit}) => ({
    path,
    firstLine: Math.max(1, offset ?? 1),
    maxLines: limit ?? READ.limit,
    maxBytes: READ.maxBytes,
    // The advice to give a range only makes sense if a range avoids the error.
    maxFileBytes: offset === undefined && limit === undefined ? READ.maxFileBytes : undefined,
  }),
  render(result, {limit}) {
    const text = emptyRead(result) ?? numberedLines(result, READ.maxBytes);
    const cut = result.truncated && result.lines.length < (limit ?? Infinity);
    return {text: cut ? `${text}\n${moreLines(result)}` : text, summary: `${result.path}: ${counted(result.lines.length, 'line')}`};
  },
});

const ls = defineTool({
  name: 'ls',
  description: 'List one level of a directory: "d name" for directories, "f name" for files. Honors .gitignore; up to 500 entries.',
  input: z.object({path: z.optional(described('directory, default cwd'))}),
  aliases: alias.aliasesOf({path: alias.FOLDER}),
  operation: listFolderOperation,
  toArgs: ({path}) => ({path: path ?? '.', limit: MAX_ENTRIES, hidden: true}),
  render({path, entries, total}) {
    const lines = entries.map(({name, isFolder}) => `${isFolder ? 'd' : 'f'} ${name}`);
    if (total > entries.length) lines.push(`[only the first ${MAX_ENTRIES} entries]`);
    return {text: lines.join('\n') || '(no entries)', summary: `${path}: ${counted(entries.length, 'entry', 'entries')}`};
  },
});

const glob = defineTool({
  name: 'glob',
  description: 'Find files by a gitignore-style glob, newest first, up to 200.',
  input: z.object({pattern: described('e.g. src/**/*.rs'), path: z.optional(described('search root, default cwd'))}),
  aliases: alias.aliasesOf({pattern: alias.PATH_PATTERN, path: alias.FOLDER}),
  operation: findFilesOperation,
  toArgs: ({pattern, path}) => ({path: path ?? '.', pattern, dialect: 'gitignore', order: 'newest', limit: MAX_MATCHES, hidden: true}),
  render({paths, truncated}) {
    const lines = truncated ? [...paths, `[only the newest ${MAX_MATCHES} matches]`] : paths;
    return {text: lines.join('\n') || '(no matches)', summary: counted(paths.length, 'file')};
  },
});

const grep = defineTool({
  name: 'grep',
  description: 'Search file contents by a regular expression (Rust syntax). Up to 200 matches as path:line:content.',
  input: z.object({
    pattern: z.string(),
    path: z.optional(described('search root, default cwd')),
    include: z.optional(described('glob filter, e.g. *.rs or src/**/*.toml')),
    case_insensitive: z.optional(z.boolean()),
  }),
  aliases: alias.aliasesOf({
    pattern: alias.TEXT_PATTERN,
    path: alias.FOLDER,
    include: alias.FILTER,
    case_insensitive: alias.ANY_CASE,
  }),
  operation: searchText,
  toArgs: ({pattern, path, include, case_insensitive: caseInsensitive}) => ({
    path: path ?? '.',
    pattern,
    globs: include === undefined ? [] : [include],
    // "Skips … files outside the gitignore set", whatever is included.
    globsNarrow: true,
    caseInsensitive: caseInsensitive ?? false,
    multiline: false,
    contextLines: 0,
    maxMatches: MAX_MATCHES,
    maxLineChars: 2000,
  }),
  render({matches, truncated, timedOut}) {
    const lines = matches.map(({path, line, text}) => `${path}:${line}:${text}`);
    if (truncated) lines.push(`[only the first ${MAX_MATCHES} matches]`);
    if (timedOut) lines.push('[the search ran out of time: there may be more]');
    return {text: lines.join('\n') || '(no matches)', summary: counted(matches.length, 'match', 'matches')};
  },
});

const write = defineTool({
  name: 'write',
  description: 'Create or overwrite a file; parent directories are created.',
  input: z.object({path: z.string(), content: z.string()}),
  aliases: alias.aliasesOf({path: alias.FILE, content: alias.CONTENT}),
  operation: writeFile,
  // "Overwrites unconditionally."
  toArgs: ({path, content}) => ({path, content, ifChanged: 'overwrite'}),
  render({path, file, created, bytes}) {
    const text = `${created ? 'created' : 'overwrote'} ${path} (${counted(bytes, 'byte')})`;
    return {text, summary: text, changes: [{path: file, kind: created ? 'add' : 'update'}]};
  },
});

const edit = defineTool({
  name: 'edit',
  description:
    'Replace exact text in a file. old_string must match exactly, whitespace included, and be unique unless replace_all is true.',
  input: z.object({path: z.string(), old_string: z.string(), new_string: z.string(), replace_all: z.optional(z.boolean())}),
  aliases: alias.aliasesOf({
    path: alias.FILE,
    old_string: alias.OLD_TEXT,
    new_string: alias.NEW_TEXT,
    replace_all: alias.EVERY,
  }),
  operation: editText,
  toArgs: ({path, old_string: oldText, new_string: newText, replace_all: replaceAll}) => ({
    path,
    edit: {form: 'exact' as const, oldText, newText, replaceAll: replaceAll ?? false},
  }),
  render({path, file, applied}) {
    const text = `edited ${path} (${counted(applied, 'replacement')})`;
    return {text, summary: text, changes: [{path: file, kind: 'update'}]};
  },
});

const bash = defineTool({
  name: 'bash',
  description: 'Run a shell command with bash -c. Returns stdout, stderr after "--- stderr ---", and the exit code on the last line.',
  input: z.object({
    command: z.string(),
    timeout_ms: z.optional(z.int().check(z.minimum(1), z.describe('default 120000, at most 600000'))),
  }),
  aliases: alias.aliasesOf({command: alias.COMMAND, timeout_ms: alias.TIME_LIMIT}),
  operation: runShell,
  toArgs: ({command, timeout_ms: timeoutMs}) => ({
    command,
    timeoutMs: Math.min(timeoutMs ?? TIMEOUT.default, TIMEOUT.max),
    headBytes: MAX_OUTPUT_BYTES,
    tailBytes: 0,
    spillAbove: SPILL_ABOVE,
  }),
  render: (result, {command}) => ({
    text: combinedOutput(result),
    summary: `exit code ${exitText(result)}`,
    // "Non-zero exit codes mark is_error = true."
    isError: failed(result),
    command: {line: command, exitCode: result.exitCode},
    spoolPath: result.stdout.spillPath ?? result.stderr.spillPath,
  }),
});

/** The seven tools of "microcode tools": its names, parameters, limits, orders and texts. */
export const microcode: Toolset = {
  name: 'microcode',
  tools: [read, ls, glob, grep, write, edit, bash],
  renderError: ({message, hint}) => (hint === undefined ? `error: ${message}` : `error: ${message}\n${hint}`),
  // Above the largest results of `read` and `bash`, so that none of their lines is cut.
  outputBound: {maxBytes: 3_000_000, maxLines: 400_000},
  asksForReads: false,
  accepts: () => true,
};
