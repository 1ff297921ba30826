import {isJsonObject, type Json, type JsonObject} from '../base/json.ts';
import type {ToolCall} from './dispatch.ts';
import {readLenientJson} from './lenient-json.ts';
import {ownTool, plain} from './resolve-tool.ts';
import type {Toolset} from './toolset.ts';

/**
 * A call written in another agent's way, in the way of ours: where names alone do not do, because the arguments have another form, or one
 * tool does the work of several. A name that the toolset itself has is never touched, nor are arguments that cannot be read.
 */
export function inOurWay(toolset: Toolset, call: ToolCall): ToolCall {
  const habit = HABITS.get(plain(call.name));
  if (habit === undefined || (habit.unlessOwn && toolset.tools.some(({name}) => name === call.name))) return call;
  const input = objectIn(call.arguments);
  const ours = input === undefined ? undefined : habit.rewrite(input);
  // Without a list of todos here the name stays: it may be one that a server carries out.
  if (ours === undefined || (ours.name === 'todo' && ownTool(toolset, 'todo') === undefined)) return call;
  return {...call, name: ours.name, arguments: JSON.stringify(ours.input)};
}

interface Rewritten {
  readonly name: string;
  readonly input: JsonObject;
}

interface Habit {
  readonly unlessOwn: boolean;
  readonly rewrite: (input: JsonObject) => Rewritten | undefined;
}

const habit = (rewrite: Habit['rewrite']): Habit => ({unlessOwn: true, rewrite});

const HABITS: ReadonlyMap<string, Habit> = new Map([
  // Codex: shell, exec_command, local_shell, update_plan · Gemini: run_shell_command, write_todos · Claude Code: Bash, TodoWrite, MultiEdit
  ...['bash', 'shell', 'localshell', 'containerexec', 'execcommand', 'runshellcommand', 'runterminalcmd', 'executecommand'].map(
    (name) => [name, habit((input) => shellCall(name, input))] as const,
  ),
  ['todowrite', habit(({todos}) => todoCall(todos))],
  ['writetodos', habit(({todos}) => todoCall(todos))],
  ['updateplan', habit(({plan}) => todoCall(plan))],
  ['todoread', habit(() => ({name: 'todo', input: {action: 'read'}}))],
  ['multiedit', habit(multiEdit)],
  // Anthropic's editor: one tool, four commands.
  ['strreplacebasededittool', habit(editorCommand)],
  ['strreplaceeditor', habit(editorCommand)],
  // A patch of symbols goes by the name of a patch of text.
  ...['apply_patch', 'apply_edit'].map(
    (name) => [plain(name), {unlessOwn: false, rewrite: (input: JsonObject) => semanticCall(name, input)}] as const,
  ),
  // tool_search also takes the call itself: some interfaces let a model call listed tools only.
  ['toolsearch', {unlessOwn: false, rewrite: callThroughSearch}],
]);

function objectIn(text: string): JsonObject | undefined {
  try {
    const {value} = readLenientJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // the call itself will say where it cannot be read
  }
}

/** A command as a list of words becomes a line, a folder to run in becomes `cd`; what only describes the call is dropped. */
function shellCall(name: string, input: JsonObject): Rewritten {
  const {description: _, justification: __, command, cmd, workdir, directory, dir_path: dirPath, cwd, ...others} = input;
  const patch = patchIn(command);
  if (patch !== undefined) return {name: 'apply_patch', input: {patch}};
  const line = commandLine(command ?? cmd);
  const folder = workdir ?? directory ?? dirPath ?? cwd;
  if (line === undefined) return {name, input: others};
  return {name, input: {command: typeof folder === 'string' && typeof line === 'string' ? lineIn(folder, line) : line, ...others}};
}

/** Codex: `["apply_patch", "*** Begin Patch …"]` is no command. */
function patchIn(command: Json | undefined): Json | undefined {
  return Array.isArray(command) && command[0] === 'apply_patch' ? (command[1] as Json | undefined) : undefined;
}

function lineIn(folder: string, line: string): string {
  return folder === '' || folder === '.' ? line : `cd ${quoted(folder)} || exit\n${line}`;
}

function commandLine(command: Json | undefined): Json | undefined {
  if (!Array.isArray(command)) return command;
  const words = (command as readonly Json[]).map(String);
  const [shell = '', flag = '', script] = words;
  if (words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag)) return script;
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Lists of Claude Code, Codex and Gemini: `content`, `step` or `description`, and a status; numbered where they have no ids. */
function todoCall(list: Json | undefined): Rewritten | undefined {
  if (!Array.isArray(list)) return undefined;
  const todos = (list as readonly Json[]).filter(isJsonObject).map((item, index) => ({
    id: typeof item['id'] === 'string' ? item['id'] : String(index + 1),
    content: item['content'] ?? item['step'] ?? item['description'],
    status: item['status'],
    priority: item['priority'],
  }));
  return {name: 'todo', input: {action: 'write', todos}};
}

function multiEdit(input: JsonObject): Rewritten | undefined {
  const {file_path: filePath, path, edits} = input;
  const given = Array.isArray(edits) ? (edits as readonly Json[]).filter(isJsonObject) : [];
  if (given.length === 0) return undefined;
  const patches = given.map((edit) => {
    const every = edit['replace_all'] ?? edit['replaceAll'];
    const texts = {old_text: edit['old_string'] ?? edit['oldText'], new_text: edit['new_string'] ?? edit['newText']};
    return every === undefined ? texts : {...texts, replace_all: every};
  });
  return {name: 'apply_patch', input: {path: path ?? filePath, patches}};
}

function editorCommand(input: JsonObject): Rewritten | undefined {
  const {command, path, view_range: range, ...rest} = input;
  switch (command) {
    case 'view': {
      const [first, last] = (Array.isArray(range) ? range : []) as readonly Json[];
      const limit = typeof first === 'number' && typeof last === 'number' && last >= first ? last - first + 1 : undefined;
      return {name: 'read', input: {path, ...(first === undefined ? {} : {offset: first}), ...(limit === undefined ? {} : {limit})}};
    }
    case 'create':
      return {name: 'write', input: {path, ...rest}};
    case 'str_replace':
      return {name: 'edit', input: {path, new_str: '', ...rest}};
    default:
      return undefined;
  }
}

function semanticCall(name: string, {patch, ...rest}: JsonObject): Rewritten | undefined {
  return isJsonObject(patch) && !('semantic_patch' in rest) ? {name, input: {...rest, semantic_patch: patch}} : undefined;
}

function callThroughSearch({name, arguments: input}: JsonObject): Rewritten | undefined {
  return typeof name === 'string' && isJsonObject(input) ? {name, input} : undefined;
}
