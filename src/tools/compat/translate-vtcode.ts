import type {Json, JsonObject} from '../../base/json.ts';
import type {Rewritten} from './rewritten-call.ts';
import {shellCall} from './translate-commands.ts';

type Rewrite = (input: JsonObject) => Rewritten | undefined;

/**
 * The tools of VT Code that do the work of several, by their plain names. Each action becomes a call of one
 * tool, from toolset vtcode if it has one, because its parameters match. Undefined for an action that no tool
 * here performs.
 */
export const VTCODE_TRANSLATIONS: Readonly<Record<string, Rewrite>> = {
  unifiedexec: (input) => byAction(EXEC_ACTIONS, input, execAction),
  unifiedfile: (input) => byAction(FILE_ACTIONS, input, fileAction),
  unifiedsearch: (input) => byAction(SEARCH_ACTIONS, input, searchAction),
  codesearch: codeSearch,
  createptysession: ({command = 'bash', ...input}) => execCommand({...input, command, tty: true}),
  sendptyinput: ({append_newline: newline, input, ...rest}) =>
    session('write', {...rest, input: newline === true && typeof input === 'string' ? `${input}\n` : input}),
  readptysession: (input) => session('poll', input),
  listptysessions: (input) => session('list', input),
  closeptysession: (input) => session('close', input),
  resizeptysession: ({cols, columns = cols, ...rest}) => session('write', {...rest, columns}),
};

function byAction(actions: Readonly<Record<string, Rewrite>>, {action, ...input}: JsonObject, usual: (input: JsonObject) => string) {
  const name = typeof action === 'string' ? action.toLowerCase() : usual(input);
  return Object.hasOwn(actions, name) ? actions[name]?.(input) : undefined;
}

const EXEC_ACTIONS: Readonly<Record<string, Rewrite>> = {
  run: execCommand,
  write: (input) => session('write', input),
  continue: (input) => session(typedIn(input) === undefined ? 'poll' : 'write', input),
  poll: (input) => session('poll', input),
  wait: (input) => session('poll', input),
  inspect: (input) => session('poll', input),
  list: (input) => session('list', input),
  close: (input) => session('close', input),
};

function execAction(input: JsonObject): string {
  if ((input['command'] ?? input['cmd']) !== undefined) return 'run';
  return input['session_id'] === undefined ? 'list' : 'continue';
}

function execCommand({tty, command, cmd, workdir, working_dir: dir, cwd, timeout_secs: timeout, ...rest}: JsonObject): Rewritten {
  const shell = shellCall('vtcode__exec_command', {command: command ?? cmd});
  if (shell.name !== 'vtcode__exec_command') return shell;
  const mode = tty === true ? 'pty' : rest['mode'];
  const input = {...shell.input, mode, workdir: workdir ?? dir ?? cwd, timeout_secs: timeout ?? rest['timeout_seconds']};
  return {name: shell.name, input: {...presentFields(input), ...only(rest, ['yield_time_ms'])}};
}

function session(action: string, input: JsonObject): Rewritten {
  const typed = action === 'write' ? typedIn(input) : undefined;
  const rest = only(input, action === 'list' ? [] : ['session_id', 'columns', 'rows', 'yield_time_ms']);
  return {name: 'vtcode__exec_session', input: {action, ...rest, ...presentFields({input: typed})}};
}

function typedIn({input, chars, text, keys}: JsonObject): Json | undefined {
  return input ?? chars ?? text ?? keys;
}

const FILE_ACTIONS: Readonly<Record<string, Rewrite>> = {
  read: (input) => ({name: 'vtcode__read_file', input}),
  write: (input) => ({name: 'vtcode__write_file', input}),
  create: (input) => ({name: 'vtcode__write_file', input}),
  edit: (input) => ({name: 'vtcode__edit_file', input}),
  delete: (input) => ({name: 'vtcode__delete_file', input}),
  move: (input) => ({name: 'move_file', input: carried(input)}),
  copy: (input) => ({name: 'copy_file', input: carried(input)}),
  patch: ({patch, input, content}) => ({name: 'apply_patch', input: presentFields({patch: patch ?? input ?? content})}),
};

function fileAction(input: JsonObject): string {
  if ((input['patch'] ?? input['input']) !== undefined) return 'patch';
  if ((input['old_str'] ?? input['old_string']) !== undefined) return 'edit';
  if (input['destination'] !== undefined) return 'move';
  return input['content'] === undefined ? 'read' : 'write';
}

function carried({path, file_path: file, source = path ?? file, destination, to, new_path: target = to}: JsonObject): JsonObject {
  return presentFields({source, destination: destination ?? target});
}

const SEARCH_ACTIONS: Readonly<Record<string, Rewrite>> = {
  grep: (input) => ({name: 'vtcode__grep_file', input: renamed(input, {keyword: 'pattern', query: 'pattern', globs: 'glob_pattern'})}),
  list: (input) => ({name: 'vtcode__list_files', input: renamed(input, {keyword: 'name_pattern'})}),
  tools: ({query, keyword}) => ({name: 'tool_search', input: presentFields({query: query ?? keyword})}),
  web: ({url, query}) => (url === undefined ? {name: 'web_search', input: presentFields({query})} : {name: 'web_fetch', input: {url}}),
  skill: ({name, query}) => ({name: 'skill', input: presentFields({name: name ?? query})}),
};

function searchAction(input: JsonObject): string {
  if (input['url'] !== undefined) return 'web';
  return (input['pattern'] ?? input['query'] ?? input['keyword']) === undefined ? 'list' : 'grep';
}

/** Searches for the query as literal text, unless only definitions or paths are wanted. */
function codeSearch({query, pattern = query, path, file_types: types, result_types: wanted, max_results: most}: JsonObject): Rewritten {
  const kinds = Array.isArray(wanted) ? wanted.join() : wanted;
  if (kinds === 'definition') return {name: 'symbols', input: presentFields({action: 'search', symbol: pattern, path})};
  if (kinds === 'path') return {name: 'vtcode__list_files', input: presentFields({path, mode: 'find_name', name_pattern: pattern})};
  const extensions = (Array.isArray(types) ? types : [types]).filter((type) => typeof type === 'string');
  const glob = extensions.length === 0 ? undefined : `*.{${extensions.map((type) => type.replace(/^\*?\./, '')).join(',')}}`;
  return {name: 'vtcode__grep_file', input: presentFields({pattern, path, literal: true, glob_pattern: glob, max_results: most})};
}

function renamed(input: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries(input).map(([name, value]): [string, Json | undefined] => [names[name] ?? name, value]);
  return Object.fromEntries(entries);
}

function only(input: JsonObject, names: readonly string[]): JsonObject {
  return presentFields(Object.fromEntries(names.map((name) => [name, input[name]])));
}

function presentFields(input: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
