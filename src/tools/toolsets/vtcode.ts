import * as z from 'zod/mini';
import {counted} from '../../base/counted.ts';
import {deletePath} from '../operations/fs/delete-path.ts';
import {editText} from '../operations/edit/edit-text.ts';
import {listFolderOperation} from '../operations/fs/list-folder.ts';
import {readFile as readOperation} from '../operations/fs/read-file.ts';
import {runInMode} from '../operations/exec/run-in-mode.ts';
import {searchText} from '../operations/search/search-text.ts';
import {useSession, type UseSessionArgs} from '../operations/exec/use-session.ts';
import {writeFile} from '../operations/fs/write-file.ts';
import {defineTool, type Toolset} from '../toolset.ts';
import {exitText, failed} from './exit-text.ts';
import {CAPTURE, commandOutput} from './fettle/fettle-output.ts';
import {groupedMatches} from './grep-text.ts';
import {emptyRead, moreLines, numberedLines} from './read-text.ts';
import {sessionReply, startReply} from './session-text.ts';
import * as alias from '../compat/parameter-aliases.ts';
import {listingLines} from './vtcode-output.ts';

const described = (text: string) => z.string().check(z.describe(text));

const GREP = {maxMatches: 100, mostMatches: 1000, maxContext: 20, maxLineChars: 500, timeoutMs: 5000};
/** Never searched, whatever ignore files say. */
const NEVER_SEARCHED = ['!node_modules', '!target', '!.cursor'];
const LIST = {perPage: 20, mostPerPage: 200, depth: 10};
const READ = {limit: 2000, maxBytes: 50_000, maxLineChars: 2000};
const MAX_CONTENT_BYTES = 64_000;
/** Seconds for a terminal, where people pause between keys. */
const TIMEOUT_S = {default: 180, pty: 600, max: 3600};
const YIELD_MS = {default: 10_000, min: 250, max: 30_000};

const grepFile = defineTool({
  name: 'grep_file',
  description: 'Search file contents by regular expression (Rust syntax), or literal text. The one tool that looks into files.',
  input: z.object({
    pattern: z.string(),
    path: z.optional(described('folder or file, default .')),
    glob_pattern: z.optional(described('only files like *.rs or src/**; ! excludes')),
    case_sensitive: z.optional(z.boolean().check(z.describe('default: where the pattern has a capital letter'))),
    literal: z.optional(z.boolean()),
    word_boundaries: z.optional(z.boolean()),
    context_lines: z.optional(z.int().check(z.minimum(0), z.describe('at most 20'))),
    include_hidden: z.optional(z.boolean()),
    respect_ignore_files: z.optional(z.boolean().check(z.describe('default true'))),
    files_with_matches: z.optional(z.boolean().check(z.describe('only their names'))),
    max_results: z.optional(z.int().check(z.minimum(1), z.describe('default 100, at most 1000'))),
  }),
  aliases: alias.aliasesOf({
    pattern: alias.TEXT_PATTERN,
    path: alias.FOLDER,
    glob_pattern: ['glob', 'include', 'file_pattern', 'include_pattern'],
    context_lines: ['context', 'c'],
    include_hidden: ['search_hidden', 'hidden'],
    max_results: ['max_matches', 'limit', 'head_limit'],
  }),
  operation: searchText,
  toArgs: (input) => ({
    path: input.path ?? '.',
    pattern: patternOf(input),
    globs: [...(input.glob_pattern === undefined ? [] : [input.glob_pattern]), ...NEVER_SEARCHED],
    caseInsensitive: !(input.case_sensitive ?? /\p{Lu}/u.test(input.literal ? input.pattern : input.pattern.replaceAll(/\\./g, ''))),
    multiline: false,
    contextLines: input.files_with_matches ? 0 : Math.min(input.context_lines ?? 0, GREP.maxContext),
    maxMatches: Math.min(input.max_results ?? GREP.maxMatches, GREP.mostMatches),
    maxLineChars: GREP.maxLineChars,
    hidden: input.include_hidden ?? false,
    ignoreFiles: input.respect_ignore_files ?? true,
    timeoutMs: GREP.timeoutMs,
  }),
  render({matches, truncated, timedOut}, {files_with_matches: namesOnly, max_results: most}) {
    const shown = namesOnly ? [...new Set(matches.map(({path}) => path))].join('\n') : groupedMatches(matches);
    const notes = [
      ...(truncated ? [`[only the first ${Math.min(most ?? GREP.maxMatches, GREP.mostMatches)} matches; narrow the search]`] : []),
      ...(timedOut ? [`[stopped after ${GREP.timeoutMs / 1000} s: there may be more]`] : []),
    ];
    const text = [shown, ...notes].filter((part) => part !== '').join('\n');
    return {text: text === '' ? '(no matches)' : text, summary: counted(matches.length, 'match', 'matches')};
  },
});

function patternOf({
  pattern,
  literal,
  word_boundaries: words,
}: {
  pattern: string;
  literal?: boolean | undefined;
  word_boundaries?: boolean | undefined;
}): string {
  const text = literal ? pattern.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&') : pattern;
  return words ? `\\b(?:${text})\\b` : text;
}

const listFiles = defineTool({
  name: 'list_files',
  description: 'Find files and folders by name, place or size, page by page. It never looks into them: that is grep_file.',
  input: z.object({
    path: z.optional(described('folder, default .')),
    mode: z.optional(z.enum(['list', 'recursive', 'find_name', 'largest', 'tree']).check(z.describe('default list: one level'))),
    name_pattern: z.optional(described('part of a name, or a glob; for find_name')),
    max_depth: z.optional(z.int().check(z.minimum(1), z.describe('default 10'))),
    include_hidden: z.optional(z.boolean()),
    response_format: z.optional(z.enum(['concise', 'detailed']).check(z.describe('detailed: size and time of change'))),
    page: z.optional(z.int().check(z.minimum(1), z.describe('from 1'))),
    per_page: z.optional(z.int().check(z.minimum(1), z.describe('default 20, at most 200'))),
  }),
  aliases: alias.aliasesOf({
    path: alias.FOLDER,
    name_pattern: ['pattern', 'query', 'name', 'glob'],
    max_depth: ['depth'],
    include_hidden: ['hidden', 'show_hidden'],
    response_format: ['format'],
    per_page: ['limit', 'max_items', 'page_size'],
  }),
  operation: listFolderOperation,
  toArgs: ({path, mode, name_pattern: name, max_depth: depth, page, per_page: perPage, ...input}) => ({
    path: path ?? '.',
    name,
    depth: (mode ?? 'list') === 'list' ? 1 : (depth ?? LIST.depth),
    order: mode === 'largest' ? ('largest' as const) : ('path' as const),
    filesOnly: mode === 'largest',
    hidden: input.include_hidden ?? false,
    details: input.response_format === 'detailed',
    page: page ?? 1,
    limit: Math.min(perPage ?? LIST.perPage, LIST.mostPerPage),
    excludeFile: '.vtcodegitignore',
  }),
  render(result, {mode, response_format: form, per_page: perPage}) {
    const {page, total, entries, capped} = result;
    const before = (page - 1) * Math.min(perPage ?? LIST.perPage, LIST.mostPerPage);
    const isLast = before + entries.length >= total;
    const more = isLast ? '' : `\n[${before + 1}-${before + entries.length} of ${total}; more on page ${page + 1}]`;
    const text = listingLines(result, mode === 'tree' ? 'tree' : mode === 'largest' ? 'detailed' : (form ?? 'concise'));
    return {
      text: `${text}${more}${capped ? '\n[the folder holds more than was looked at; name a folder in it]' : ''}`,
      summary: `${result.path}: ${counted(total, 'entry', 'entries')}`,
    };
  },
});

const readFile = defineTool({
  name: 'read_file',
  description: 'Read a text file as <line number><tab><line>, up to 2000 lines or 50 KB at once; exactly what is there, nothing condensed.',
  input: z.object({
    path: z.string(),
    offset: z.optional(z.int().check(z.minimum(1), z.describe('first line, from 1'))),
    limit: z.optional(z.int().check(z.minimum(1), z.describe('lines'))),
  }),
  aliases: alias.aliasesOf({path: ['target_path', ...alias.FILE], offset: alias.FIRST_LINE, limit: alias.LINE_COUNT}),
  operation: readOperation,
  toArgs: ({path, offset, limit}) => ({path, firstLine: offset ?? 1, maxLines: limit ?? READ.limit, maxBytes: READ.maxBytes}),
  render(result) {
    const text = emptyRead(result) ?? numberedLines(result, READ.maxLineChars);
    return {
      text: result.truncated ? `${text}\n${moreLines(result)}` : text,
      summary: `${result.path}: ${counted(result.lines.length, 'line')}`,
    };
  },
});

const writeFileTool = defineTool({
  name: 'write_file',
  description: 'Create a file or replace all of it, at most 64,000 bytes. To change a part, use edit_file.',
  input: z.object({
    path: z.string(),
    content: z.string().check(
      z.refine((text) => Buffer.byteLength(text) <= MAX_CONTENT_BYTES),
      z.describe('at most 64000 bytes'),
    ),
  }),
  aliases: alias.aliasesOf({path: ['target_path', ...alias.FILE], content: alias.CONTENT}),
  operation: writeFile,
  toArgs: ({path, content}) => ({path, content, ifChanged: 'refuse'}),
  render({path, file, created, bytes}) {
    const text = `${created ? 'Created' : 'Replaced'} ${path} (${counted(bytes, 'byte')}).`;
    return {text, summary: text, changes: [{path: file, kind: created ? 'add' : 'update'}]};
  },
});

const editFile = defineTool({
  name: 'edit_file',
  description: 'Replace old_str by new_str in a file. old_str is exact and unique, unless replace_all.',
  input: z.object({path: z.string(), old_str: z.string(), new_str: z.string(), replace_all: z.optional(z.boolean())}),
  aliases: alias.aliasesOf({
    path: ['target_path', ...alias.FILE],
    old_str: ['old_string', ...alias.OLD_TEXT.filter((name) => name !== 'old_str')],
    new_str: ['new_string', ...alias.NEW_TEXT.filter((name) => name !== 'new_str')],
    replace_all: alias.EVERY,
  }),
  operation: editText,
  toArgs: ({path, old_str: oldText, new_str: newText, replace_all: replaceAll}) => ({
    path,
    edit: {form: 'exact' as const, oldText, newText, replaceAll: replaceAll ?? false},
  }),
  render({path, file, applied}) {
    const text = `Edited ${path}: ${counted(applied, 'replacement')}.`;
    return {text, summary: text, changes: [{path: file, kind: 'update'}]};
  },
});

const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Delete a file, or a folder with recursive.',
  input: z.object({path: z.string(), recursive: z.optional(z.boolean())}),
  aliases: alias.aliasesOf({path: ['target_path', ...alias.FILE]}),
  operation: deletePath,
  toArgs: ({path, recursive}) => ({path, recursive: recursive ?? false}),
  render({path, kind, changes}) {
    const text = `Deleted ${kind} ${path}.`;
    return {text, summary: text, changes};
  },
});

const execCommand = defineTool({
  name: 'exec_command',
  description:
    'Run a command with bash. terminal: to its end. streaming: for what runs long; shows what it has written so far and a session for exec_session. pty: for what asks or draws; shows its screen and a session to type into.',
  input: z.object({
    command: z.string(),
    mode: z.optional(z.enum(['terminal', 'pty', 'streaming']).check(z.describe('default terminal'))),
    workdir: z.optional(described('folder, default the workspace')),
    timeout_secs: z.optional(z.int().check(z.minimum(1), z.describe('default 180, pty 600, at most 3600'))),
    yield_time_ms: z.optional(z.int().check(z.minimum(0), z.describe('streaming, pty: wait for output, default 10000, 250 to 30000'))),
  }),
  aliases: alias.aliasesOf({
    command: alias.COMMAND,
    workdir: ['working_dir', 'cwd', 'working_directory'],
    timeout_secs: ['timeout', 'timeout_seconds'],
    yield_time_ms: ['wait_ms'],
  }),
  operation: runInMode,
  toArgs: ({command, mode, workdir, timeout_secs: timeout, yield_time_ms: wait}) => ({
    mode: mode ?? 'terminal',
    command,
    cwd: workdir,
    timeoutMs: Math.min(timeout ?? (mode === 'pty' ? TIMEOUT_S.pty : TIMEOUT_S.default), TIMEOUT_S.max) * 1000,
    waitMs: yieldMs(wait),
    ...CAPTURE,
  }),
  render({ended, session}, {command}) {
    if (session !== null) return startReply(session, HOW_TO_LOOK);
    if (ended === null) return {text: '', summary: ''};
    return {
      text: commandOutput(ended),
      summary: `exit code ${exitText(ended)}`,
      isError: failed(ended),
      command: {line: command, exitCode: ended.exitCode},
      spoolPath: ended.stdout.spillPath ?? ended.stderr.spillPath,
    };
  },
});

const HOW_TO_LOOK = 'look again with exec_session poll';

function yieldMs(wait: number | undefined): number {
  return Math.min(Math.max(wait ?? YIELD_MS.default, YIELD_MS.min), YIELD_MS.max);
}

const execSession = defineTool({
  name: 'exec_session',
  description:
    'Poll, write to, list or close the sessions of exec_command. poll waits for the end or yield_time_ms, and shows what was written since; of a pty, the screen. write is for a pty.',
  input: z.object({
    action: z.optional(z.enum(['poll', 'write', 'list', 'close']).check(z.describe('default poll; with input, write'))),
    session_id: z.optional(described('not for list')),
    input: z.optional(described('typed; \\n is Enter; keys: <C-c> <Esc> <Tab> <Up> <Down> <Left> <Right>')),
    columns: z.optional(z.int().check(z.minimum(20), z.maximum(500), z.describe('new width, with write'))),
    rows: z.optional(z.int().check(z.minimum(5), z.maximum(200), z.describe('new height, with write'))),
    yield_time_ms: z.optional(z.int().check(z.minimum(0), z.describe('default 10000, 250 to 30000'))),
  }),
  aliases: alias.aliasesOf({
    session_id: ['session', 'id', 'sid'],
    input: ['chars', 'keys', 'text'],
    yield_time_ms: ['wait_ms', 'timeout_ms'],
  }),
  operation: useSession,
  toArgs: ({action, session_id: session, input, columns, rows, yield_time_ms: wait}) => ({
    action: actionOf(action ?? (input === undefined ? 'poll' : 'write')),
    session,
    input,
    size: columns === undefined && rows === undefined ? undefined : {columns, rows},
    waitMs: yieldMs(wait),
  }),
  render: (result) => sessionReply(result, HOW_TO_LOOK),
});

function actionOf(action: 'poll' | 'write' | 'list' | 'close'): UseSessionArgs['action'] {
  return action === 'poll' ? 'look' : action;
}

/** The search, file and command tools of "vtcode architecture"; every path must be in the workspace. */
export const vtcode: Toolset = {
  name: 'vtcode',
  tools: [grepFile, listFiles, readFile, writeFileTool, editFile, deleteFile, execCommand, execSession].map((tool) => ({
    ...tool,
    pathScope: 'inside',
  })),
  renderError: ({message, hint}) => (hint === undefined ? `Error: ${message}` : `Error: ${message}\n${hint}`),
  outputBound: {maxBytes: 80_000, maxLines: 4000},
  deferred: async () => {
    const [{AGENT_TOOLS_BY_NAME}, {SCHEDULE_TOOLS}] = await Promise.all([import('./agent-tools.ts'), import('./schedule-tools.ts')]);
    return [...AGENT_TOOLS_BY_NAME, ...SCHEDULE_TOOLS];
  },
  asksForReads: true,
  accepts: () => true,
};
