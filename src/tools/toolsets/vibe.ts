import * as z from 'zod/mini';
import {counted} from '../../base/counted.ts';
import {overrunText} from '../../exec/process/resource-overrun.ts';
import {askUser} from '../operations/meta/ask-user.ts';
import {editText} from '../operations/edit/edit-text.ts';
import {readFile as readOperation} from '../operations/fs/read-file.ts';
import {runTask} from '../operations/agent/run-task.ts';
import {searchText} from '../operations/search/search-text.ts';
import {statefulShell, type StatefulShellResult} from '../operations/exec/stateful-shell.ts';
import {todoList, type TodoResult} from '../operations/meta/todo.ts';
import {writeFile} from '../operations/fs/write-file.ts';
import {defineTool, type Toolset} from '../toolset.ts';
import {PLAN_TOOLS} from './plan-tools.ts';
import * as alias from '../compat/parameter-aliases.ts';
import {DEFAULT_EXCLUDES} from './vibe-excludes.table.ts';
import {WEB_TOOLS} from './web-tools.ts';
import {fieldLines, shownStream, STREAM_BYTES, toolError} from './vibe-output.ts';

const described = (text: string) => z.string().check(z.describe(text));

/** "64KB default read limit". */
const READ_BYTES = 64_000;
const MAX_CONTENT_BYTES = 64_000;
const MAX_BLOCK_CHARS = 100_000;
const GREP = {maxMatches: 100, maxLineChars: 2000, maxChars: 64_000, timeoutMs: 60_000};
/** "Configurable timeout (default 60s)". */
const TIMEOUT_S = {default: 60, max: 3600};

const bash = defineTool({
  name: 'bash',
  description:
    'Run a shell command. The working folder stays for the next call, variables do not. A non-zero exit code is an error with both streams.',
  input: z.object({
    command: z.string(),
    timeout: z.optional(z.int().check(z.minimum(0), z.describe('seconds, default 60, at most 3600'))),
  }),
  aliases: alias.aliasesOf({command: alias.COMMAND, timeout: ['timeout_s', 'timeout_secs', 'timeout_seconds']}),
  operation: statefulShell,
  toArgs: ({command, timeout}) => ({
    command,
    timeoutMs: Math.min(timeout === undefined || timeout === 0 ? TIMEOUT_S.default : timeout, TIMEOUT_S.max) * 1000,
    headBytes: STREAM_BYTES,
  }),
  render(result, {command}) {
    const problem = commandProblem(result, command);
    const [stdout, stderr] = [shownStream(result.stdout), shownStream(result.stderr)];
    const text =
      problem === undefined
        ? fieldLines({command, stdout, stderr, returncode: result.exitCode})
        : toolError('bash', `${problem}\nStderr: ${stderr}\nStdout: ${stdout}`);
    return {
      text: result.cwdReset ? `${text}\n\nThe command left the workspace: the next one starts in ${result.cwd} again.` : text,
      summary: problem?.split('\n', 1)[0] ?? counted(result.stdout.totalLines, 'line'),
      isError: problem !== undefined,
      command: {line: command, exitCode: result.exitCode},
      spoolPath: result.stdout.spillPath ?? result.stderr.spillPath,
    };
  },
});

function commandProblem(result: StatefulShellResult, command: string): string | undefined {
  const {exitCode, timedOut, cancelled, overrun, signal, durationMs} = result;
  if (overrun !== undefined) return `Command was ended: it ${overrunText(overrun)}: '${command}'`;
  if (timedOut) return `Command timed out after ${Math.round(durationMs / 1000)}s: '${command}'`;
  if (cancelled) return `Command was interrupted by the user: '${command}'`;
  if (exitCode === 0) return undefined;
  return `Command failed: '${command}'\nReturn code: ${exitCode ?? `none (killed by ${signal ?? 'a signal'})`}`;
}

const readFile = defineTool({
  name: 'read_file',
  description: 'Read a UTF-8 file, up to 64,000 bytes in whole lines. offset is 0-based.',
  input: z.object({
    path: z.string(),
    offset: z.optional(z.int().check(z.minimum(0), z.describe('first line, from 0'))),
    limit: z.optional(z.int().check(z.minimum(1), z.describe('lines'))),
  }),
  aliases: alias.aliasesOf({path: alias.FILE, limit: alias.LINE_COUNT}),
  operation: readOperation,
  toArgs: ({path, offset, limit}) => ({
    path,
    firstLine: (offset ?? 0) + 1,
    maxLines: limit,
    maxBytes: READ_BYTES,
  }),
  render({path, lines, firstLine, truncated, lastLineCut, totalLines}, {limit}) {
    const cut = truncated && (limit === undefined || lines.length < limit);
    const fields = fieldLines({path, content: lines.join('\n'), lines_read: lines.length, was_truncated: cut});
    const next = `\n\nMore lines follow: offset ${firstLine - 1 + lines.length}${lastLineCut ? ' (the line shown is longer than this)' : ''}`;
    const past = lines.length === 0 && firstLine > 1 ? `\n\nThe file has ${totalLines ?? firstLine - 1} lines.` : '';
    return {text: fields + (truncated ? next : past), summary: `${path}: ${counted(lines.length, 'line')}`};
  },
});

const writeFileTool = defineTool({
  name: 'write_file',
  description: 'Create a file; an existing one needs overwrite, or append to add to its end. Folders are created. At most 64,000 bytes.',
  input: z.object({
    path: z.string(),
    content: z.string().check(
      z.refine((text) => Buffer.byteLength(text) <= MAX_CONTENT_BYTES),
      z.describe('at most 64000 bytes'),
    ),
    overwrite: z.optional(z.boolean()),
    append: z.optional(z.boolean()),
  }),
  aliases: alias.aliasesOf({path: alias.FILE, content: alias.CONTENT}),
  pathScope: 'inside',
  operation: writeFile,
  toArgs: ({path, content, overwrite, append}) => ({path, content, ifChanged: 'refuse' as const, mode: writeMode(overwrite, append)}),
  render({path, file, created, bytes}) {
    const fields = {path, bytes_written: bytes, file_existed: !created};
    return {
      text: fieldLines(fields),
      summary: `${path}: ${counted(bytes, 'byte')}`,
      changes: [{path: file, kind: created ? 'add' : 'update'}],
    };
  },
});

function writeMode(overwrite = false, append = false): 'append' | 'overwrite' | 'create' {
  if (append) return 'append';
  return overwrite ? 'overwrite' : 'create';
}

const searchReplace = defineTool({
  name: 'search_replace',
  description: `Edit a file by blocks, applied in order, all or none:
<<<<<<< SEARCH
exact text
=======
new text
>>>>>>> REPLACE`,
  input: z.object({
    file_path: z.string(),
    content: z.string().check(z.maxLength(MAX_BLOCK_CHARS), z.describe('one or more blocks')),
    fuzzy: z.optional(z.boolean().check(z.describe('also take the one place that is at least 90 % like SEARCH'))),
    reformat: z.optional(z.boolean().check(z.describe('lay out JSON or YAML anew afterwards'))),
  }),
  aliases: alias.aliasesOf({file_path: ['path', 'file', 'filename', 'target_file'], content: ['blocks', 'diff', 'patch']}),
  operation: editText,
  toArgs: ({file_path: path, content, fuzzy, reformat}) => ({
    path,
    edit: {form: 'blocks' as const, content, fuzzy: fuzzy ?? false, onMultiple: 'first' as const, reformat: reformat ?? false},
  }),
  render({path, file, applied, linesChanged, warnings, before, after}) {
    const fields = {file: path, blocks_applied: applied, lines_changed: linesChanged, warnings};
    const changes = before === after ? [] : [{path: file, kind: 'update' as const}];
    return {text: fieldLines(fields), summary: `${path}: ${counted(applied, 'block')}`, changes};
  },
});

const grep = defineTool({
  name: 'grep',
  description: 'Search files by regular expression (Rust syntax). All lower-case ignores case. Honors .gitignore and .vibeignore.',
  input: z.object({
    pattern: z.string(),
    path: z.optional(described('folder or file, default .')),
    max_matches: z.optional(z.int().check(z.minimum(1), z.describe('default 100'))),
    use_default_ignore: z.optional(z.boolean().check(z.describe('default true; false: .gitignore does not count'))),
    exclude_patterns: z.optional(z.array(z.string()).check(z.describe('more to leave out, like *.min.js'))),
  }),
  aliases: alias.aliasesOf({pattern: alias.TEXT_PATTERN, path: alias.FOLDER, max_matches: ['max_results', 'limit', 'head_limit']}),
  operation: searchText,
  toArgs: (input) => ({
    path: input.path ?? '.',
    pattern: input.pattern,
    // Smart case: a capital letter outside an escape makes the search case-sensitive.
    caseInsensitive: !/\p{Lu}/u.test(input.pattern.replaceAll(/\\./g, '')),
    maxMatches: input.max_matches ?? GREP.maxMatches,
    maxLineChars: GREP.maxLineChars,
    hidden: false,
    ignoreFiles: input.use_default_ignore ?? true,
    exclude: [...DEFAULT_EXCLUDES, ...(input.exclude_patterns ?? [])],
    excludeFile: '.vibeignore',
    timeoutMs: GREP.timeoutMs,
  }),
  render({matches, truncated, timedOut}) {
    const lines = matches.map(({path, line, text}) => `${path}:${line}:${text}`);
    const fitting = lines.slice(0, linesWithin(lines, GREP.maxChars));
    const fields = {matches: fitting.join('\n'), match_count: fitting.length, was_truncated: truncated || fitting.length < lines.length};
    const late = timedOut ? `\n\nSearch timed out after ${GREP.timeoutMs / 1000}s: there may be more.` : '';
    return {text: fieldLines(fields) + late, summary: counted(fitting.length, 'match', 'matches')};
  },
});

/** Returns how many whole lines fit into this many characters. */
function linesWithin(lines: readonly string[], maxChars: number): number {
  let chars = 0;
  const end = lines.findIndex((line) => (chars += line.length + 1) > maxChars);
  return end < 0 ? lines.length : end;
}

const todoItem = z.object({
  id: z.string(),
  content: z.string(),
  status: z.optional(z.enum(['pending', 'in_progress', 'completed', 'cancelled'])),
  priority: z.optional(z.enum(['low', 'medium', 'high'])),
});

/** Removes fields that only other toolsets have; `blocked` becomes a status that this toolset knows. */
function asVibeKnowsIt({id, content, status, priority}: TodoResult['todos'][number]): z.infer<typeof todoItem> {
  return {id, content, status: status === 'blocked' ? 'pending' : status, priority};
}

const todo = defineTool({
  name: 'todo',
  description: `Read the todo list, or write all of it anew (at most 100 items).`,
  input: z.object({
    action: z.enum(['read', 'write']),
    todos: z.optional(z.array(todoItem).check(z.describe('for write'))),
  }),
  aliases: alias.aliasesOf({todos: ['items', 'tasks', 'list']}),
  operation: todoList,
  toArgs: ({action, todos}) => ({
    action,
    todos: todos?.map(({status, priority, ...item}) => ({...item, status: status ?? 'pending', priority: priority ?? 'medium'})),
  }),
  render: ({message, todos: all}) => {
    const todos = all.map(asVibeKnowsIt);
    return {text: fieldLines({message, todos, total_count: todos.length}), summary: message};
  },
});

const ask = defineTool({
  name: 'ask_user_question',
  description: 'Ask the user 1-4 questions with 2-4 choices each; a free answer is always offered as Other.',
  input: z.object({
    questions: z
      .array(
        z.object({
          question: z.string(),
          header: described('at most 12 characters').check(z.maxLength(12)),
          options: z.array(z.object({label: z.string(), description: z.optional(z.string())})).check(z.minLength(2), z.maxLength(4)),
          multi_select: z.optional(z.boolean()),
        }),
      )
      .check(z.minLength(1), z.maxLength(4)),
  }),
  operation: askUser,
  toArgs: ({questions}) => ({
    questions: questions.map(({multi_select: multiSelect, options, ...question}) => ({
      ...question,
      options: options.map(({label, description}) => ({label, description: description ?? ''})),
      multiSelect: multiSelect ?? false,
    })),
  }),
  render({answers, cancelled}) {
    const payload = answers.map(({question, answer, isOther}) => ({question, answer, is_other: isOther}));
    return {text: fieldLines({answers: payload, cancelled}), summary: cancelled ? 'cancelled' : counted(answers.length, 'answer')};
  },
});

const task = defineTool({
  name: 'task',
  description: 'Give a task to a subagent that works on its own, and get its report. It knows only what the task says.',
  input: z.object({task: z.string(), agent: z.optional(described('default explore, which only reads'))}),
  aliases: alias.aliasesOf({task: ['prompt', 'message', 'objective'], agent: ['subagent_type', 'agent_name', 'agent_type']}),
  operation: runTask,
  toArgs: ({task: what, agent}) => ({task: what, agent: agent ?? 'explore'}),
  render: ({response, turnsUsed, completed}) => ({
    text: fieldLines({response, turns_used: turnsUsed, completed}),
    summary: `${counted(turnsUsed, 'turn')}${completed ? '' : ', not completed'}`,
  }),
});

/** The eight tools of "vibe tool system", and tools that Mistral Vibe has added since. */
export const vibe: Toolset = {
  name: 'vibe',
  tools: [bash, readFile, writeFileTool, searchReplace, grep, todo, ask, task, ...PLAN_TOOLS, ...WEB_TOOLS],
  renderError: ({code, message, hint}, name) =>
    code === 'CANCELLED'
      ? `<user_cancellation>${name} was interrupted by the user</user_cancellation>`
      : toolError(name, hint === undefined ? message : `${message}\n${hint}`),
  // Above the longest result of its tools.
  outputBound: {maxBytes: 80_000, maxLines: 80_000},
  asksForReads: true,
  accepts: () => true,
};
