import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {plain} from '../../base/plain-name.ts';
import type {ToolCall} from '../dispatch/dispatch.ts';
import {killCall, ownShellCall, shellCall} from './translate-commands.ts';
import {appendCall, blocksCall, editorCommand, multiEdit, replaceCall, searchReplaceCall, semanticCall} from './translate-edits.ts';
import {VTCODE_TRANSLATIONS} from './translate-vtcode.ts';
import {readLenientJson} from '../arguments/lenient-json.ts';
import {ownTool} from '../dispatch/resolve-tool.ts';
import type {Toolset} from '../toolset.ts';
import type {Rewritten} from './rewritten-call.ts';

/**
 * Translates a call in another agent's style if aliases are not enough, because the arguments have another form
 * or one tool does the work of several. A call under a name of the toolset itself is translated only if its
 * arguments cannot be meant for that tool. Arguments that cannot be parsed are left as they are.
 */
export function translateCall(toolset: Toolset, call: ToolCall): ToolCall {
  const translation = TRANSLATIONS.get(plain(call.name));
  if (translation === undefined) return call;
  const rewrite = toolset.tools.some(({name}) => name === call.name) ? translation.own : translation.foreign;
  const input = rewrite === undefined ? undefined : objectIn(call.arguments);
  const ours = input === undefined ? undefined : rewrite?.(input);
  // If the toolset has no task list, the name stays: it may belong to a tool that a server runs.
  if (ours === undefined || (ours.name === 'todo' && ownTool(toolset, 'todo') === undefined)) return call;
  return {...call, name: ours.name, arguments: JSON.stringify(ours.input)};
}

type Rewrite = (input: JsonObject) => Rewritten | undefined;

interface Translation {
  readonly foreign: Rewrite;
  /** Translations for names that the toolset itself has. */
  readonly own?: Rewrite;
}

const SHELLS =
  'bash shell shellcommand localshell localshellcall containerexec execcommand runshellcommand runterminalcmd runinterminal executecommand ' +
  'runcommand runptycmd';

const TRANSLATIONS: ReadonlyMap<string, Translation> = new Map<string, Translation>([
  // Codex: shell, exec_command, local_shell, update_plan · Gemini: run_shell_command, write_todos · Claude Code: Bash, TodoWrite, MultiEdit
  ...SHELLS.split(' ').map(
    (name) =>
      [name, {foreign: (input: JsonObject) => shellCall(name, input), own: (input: JsonObject) => ownShellCall(name, input)}] as const,
  ),
  ['killshell', {foreign: killCall}],
  ['killbash', {foreign: killCall}],
  ['todowrite', {foreign: ({todos}) => todoCall(todos)}],
  ['writetodos', {foreign: ({todos}) => todoCall(todos)}],
  ['updateplan', {foreign: ({plan}) => todoCall(plan)}],
  ['todoread', {foreign: () => ({name: 'todo', input: {action: 'read'}})}],
  ['multiedit', {foreign: multiEdit}],
  // Gemini says how many places it expects.
  ['replace', {foreign: replaceCall}],
  // Anthropic's editor: one tool, four commands.
  ['strreplacebasededittool', {foreign: editorCommand}],
  ['strreplaceeditor', {foreign: editorCommand}],
  // Cline and Roo: SEARCH/REPLACE blocks in `diff`. Cursor: a search_replace with two texts.
  ['replaceinfile', {foreign: blocksCall}],
  ['applydiff', {foreign: blocksCall}],
  ['searchreplace', {foreign: searchReplaceCall, own: searchReplaceCall}],
  // A call that says "append" must never overwrite.
  ...['write', 'writefile', 'writetofile', 'createfile'].map((name) => [name, {foreign: appendCall, own: appendCall}] as const),
  // The text is part of a name, not a glob.
  ['filesearch', {foreign: ({query, ...rest}) => nameCall('file_search', query, rest)}],
  ['findfiles', {foreign: ({pattern, ...rest}) => nameCall('find_files', pattern, rest)}],
  // Gemini: the address is in the prompt.
  ['webfetch', {foreign: fetchCall, own: fetchCall}],
  // A patch of symbols uses the name of the text patch.
  ['applypatch', {foreign: (input) => semanticCall('apply_patch', input), own: (input) => semanticCall('apply_patch', input)}],
  ['applyedit', {foreign: (input) => semanticCall('apply_edit', input), own: (input) => semanticCall('apply_edit', input)}],
  ...Object.entries(VTCODE_TRANSLATIONS).map(([name, foreign]) => [name, {foreign}] as const),
  // tool_search also takes the call itself: some interfaces let a model call listed tools only.
  ['toolsearch', {foreign: callThroughSearch, own: callThroughSearch}],
]);

function objectIn(text: string): JsonObject | undefined {
  // Codex sends a patch without JSON around it.
  if (/^\s*\*\*\* Begin Patch/.test(text)) return {patch: text};
  try {
    const {value} = readLenientJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // parsing the call will report the position
  }
}

/** Translates task lists of Claude Code, Codex and Gemini: `content`, `step` or `description`, and a status; numbered if they have no ids. */
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

function nameCall(name: string, part: Json | undefined, rest: JsonObject): Rewritten | undefined {
  if (typeof part !== 'string' || part === '' || /[*?[{]/.test(part)) return undefined;
  return {name, input: {pattern: `**/*${part}*`, ...rest}};
}

function fetchCall({prompt, ...rest}: JsonObject): Rewritten | undefined {
  if ('url' in rest || typeof prompt !== 'string') return undefined;
  const url = /https?:\/\/[^\s"'<>]+/.exec(prompt)?.[0].replace(/[.,;:!?)\]]+$/, '');
  return url === undefined ? undefined : {name: 'web_fetch', input: {url, ...rest}};
}

function callThroughSearch({name, arguments: input}: JsonObject): Rewritten | undefined {
  return typeof name === 'string' && isJsonObject(input) ? {name, input} : undefined;
}
