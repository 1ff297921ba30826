/** The arguments of a call, of any shape. */
export type Input = Readonly<Record<string, unknown>>;

/** The shape of a subject: a path is shown by its end, a command by both ends, other text by its beginning. */
export type SubjectShape = 'path' | 'command' | 'text';

export interface ToolKind {
  readonly verb: string;
  readonly shape: SubjectShape;
  readonly subject: (input: Input) => string;
  readonly isChange: boolean;
}

/** The first of some parameters that holds text. */
export function stringField(input: Input, names: string): string {
  for (const name of names.split(' ')) {
    const value = input[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** The path that a call is about, by any of the names that it has. */
export function pathOfCall(input: Input): string {
  return stringField(input, 'path file_path filepath filePath file');
}

/** The first text among the arguments, for tools that nothing is known of. */
export function firstText(input: Input): string {
  const named = stringField(input, 'command query pattern url name title description prompt task');
  if (named !== '') return named;
  return Object.values(input).find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? '';
}

function range(input: Input): string {
  const path = pathOfCall(input);
  const from = numberOf(input, 'offset') ?? numberOf(input, 'start_line') ?? numberOf(input, 'line');
  const limit = numberOf(input, 'limit');
  const to = numberOf(input, 'end_line') ?? (limit === undefined ? undefined : (from ?? 1) + limit - 1);
  if (from === undefined && to === undefined) return path;
  return to === undefined ? `${path}:${from}` : `${path}:${from ?? 1}-${to}`;
}

function numberOf(input: Input, name: string): number | undefined {
  const value = input[name];
  return typeof value === 'number' ? value : undefined;
}

function folder(input: Input): string {
  return pathOfCall(input) || '.';
}

/** `TODO in src (*.ts)`. */
function search(input: Input): string {
  const what = stringField(input, 'pattern query regex');
  const where = pathOfCall(input);
  const files = stringField(input, 'glob include glob_pattern file_pattern');
  return `${what}${where === '' || where === '.' ? '' : ` in ${where}`}${files === '' ? '' : ` (${files})`}`;
}

function several(input: Input): string {
  const paths = listOf(input, 'paths');
  return paths.length > 3 ? `${paths.slice(0, 2).join(', ')} and ${paths.length - 2} more` : paths.join(', ');
}

function listOf(input: Input, name: string): readonly string[] {
  const value = input[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : typeof value === 'string' ? [value] : [];
}

/** The file of an edit, or the files that a patch names (zblade tool calls › apply_patch). */
function edited(input: Input): string {
  const path = pathOfCall(input);
  if (path !== '') return path;
  const patch = stringField(input, 'patch diff input');
  const names = Array.from(patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ b\/)(.+)$/gm), ([, name = '']) => name.trim());
  return [...new Set(names)].slice(0, 8).join(', ');
}

function fromTo(input: Input): string {
  return `${stringField(input, 'source from')} → ${stringField(input, 'destination to')}`;
}

function command(input: Input): string {
  return stringField(input, 'command cmd') || [stringField(input, 'program'), ...listOf(input, 'args')].join(' ');
}

/** `s1: text that is typed`. */
function session(input: Input): string {
  const typed = stringField(input, 'input');
  const id = stringField(input, 'session session_id');
  return typed === '' ? id : `${id}: ${JSON.stringify(typed)}`;
}

function question(input: Input): string {
  const [first]: readonly unknown[] = Array.isArray(input['questions']) ? input['questions'] : [];
  const text: unknown = typeof first === 'object' && first !== null && 'question' in first ? first.question : undefined;
  return typeof text === 'string' ? text : '';
}

/** `reviewer: look at src`. */
function agentTask(input: Input): string {
  const agents = listOf(input, 'agents').concat(listOf(input, 'targets')).join(', ');
  const parts = [stringField(input, 'agent agent_type id target') || agents, stringField(input, 'task message')];
  return parts.filter((part) => part !== '').join(': ');
}

function renamed(input: Input): string {
  const to = stringField(input, 'new_name target');
  return `${stringField(input, 'symbol')}${to === '' ? '' : ` → ${to}`}`;
}

function symbol(input: Input): string {
  return stringField(input, 'query symbol qualified_name name symbol_id') || pathOfCall(input);
}

function nothing(): string {
  return '';
}

type Row = readonly [verb: string, tools: string, subject: (input: Input) => string, shape: SubjectShape];

const ROWS: readonly Row[] = [
  ['Read', 'read read_file read_file_range', range, 'path'],
  ['Read', 'read_many_files', several, 'path'],
  ['Inspect', 'get_file_info', pathOfCall, 'path'],
  ['List', 'ls list list_dir list_directory list_files get_workspace_structure', folder, 'path'],
  ['Find', 'glob find find_files find_files_glob', search, 'text'],
  ['Search', 'grep grep_file grep_search rg search codebase_search', search, 'text'],
  ['Investigate', 'codebase_investigator', (input) => stringField(input, 'objective'), 'text'],
  ['Write', 'write write_file create_file', pathOfCall, 'path'],
  ['Edit', 'edit edit_file apply_patch apply_edit patch search_replace', edited, 'path'],
  ['Delete', 'delete_file', pathOfCall, 'path'],
  ['Move', 'move_file', fromTo, 'text'],
  ['Copy', 'copy_file', fromTo, 'text'],
  ['Create folder', 'create_directory', pathOfCall, 'path'],
  ['Run', 'bash shell exec exec_command run_command', command, 'command'],
  ['Start', 'start_command', command, 'command'],
  ['Check', 'check', command, 'command'],
  ['Watch', 'command_session exec_session', session, 'text'],
  ['Type into', 'command_session.write exec_session.write', session, 'text'],
  ['End', 'command_session.close exec_session.close', session, 'text'],
  ['List commands', 'command_session.list exec_session.list', nothing, 'text'],
  ['Search symbols', 'symbols symbols.search symbol_search', symbol, 'text'],
  ['Outline', 'symbols.outline symbol_outline', pathOfCall, 'path'],
  ['Show symbol', 'symbols.show symbol_resolve', symbol, 'text'],
  ['Find references', 'symbols.references symbol_references', symbol, 'text'],
  ['Trace symbol', 'symbol_graph', symbol, 'text'],
  ['Read index', 'get_project_index_overview get_project_index_chunk', pathOfCall, 'path'],
  ['Rename', 'edit_symbol.rename', renamed, 'text'],
  ['Move', 'edit_symbol.move_before edit_symbol.move_after', renamed, 'text'],
  ['Edit symbol', 'edit_symbol edit_symbol.replace edit_symbol.insert_before edit_symbol.insert_after', symbol, 'text'],
  ['Open', 'open_file', range, 'path'],
  ['Look at the editor', 'get_editor_state', nothing, 'text'],
  ['Go to line', 'goto_line', (input) => stringField(input, 'line'), 'text'],
  ['Read the selection', 'get_selection', nothing, 'text'],
  ['Replace the selection', 'replace_selection', nothing, 'text'],
  ['Insert at the cursor', 'insert_at_cursor', nothing, 'text'],
  ['Tasks', 'todo', nothing, 'text'],
  ['Ask', 'ask_user ask_user_question', question, 'text'],
  ['Delegate', 'task agents.spawn spawn_agent', agentTask, 'text'],
  ['Message', 'agents.send send_input', agentTask, 'text'],
  ['Wait for', 'agents.wait wait_agent', agentTask, 'text'],
  ['Resume', 'agents.resume resume_agent', agentTask, 'text'],
  ['Close', 'agents.close close_agent', agentTask, 'text'],
  ['List agents', 'agents agents.list', nothing, 'text'],
  ['Merge', 'merge_agent', agentTask, 'text'],
  ['Schedule', 'cron_create', (input) => stringField(input, 'name prompt'), 'text'],
  ['List scheduled tasks', 'cron_list', nothing, 'text'],
  ['Cancel scheduled task', 'cron_delete', (input) => stringField(input, 'id'), 'text'],
  ['Recall', 'recall', (input) => stringField(input, 'query item'), 'text'],
  ['Use skill', 'skill', (input) => stringField(input, 'name'), 'text'],
  ['Propose the plan', 'exit_plan_mode', nothing, 'text'],
  ['Find tools', 'tool_search', (input) => stringField(input, 'query name'), 'text'],
  ['Batch', 'batch', nothing, 'text'],
  ['Fetch', 'web_fetch', (input) => stringField(input, 'url'), 'text'],
  ['Search the web', 'web_search', (input) => stringField(input, 'query'), 'text'],
];

const CHANGES = new Set(['Write', 'Edit']);

/** Every tool of the toolsets by its name, or by its name and action (`symbols.outline`). */
export const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map(
  ROWS.flatMap(([verb, tools, subject, shape]) =>
    tools.split(' ').map((name) => [name, {verb, shape, subject, isChange: CHANGES.has(verb)}] as const),
  ),
);
