/**
 * Parameter names of other agents. Compared without case, `_` and `-`, so that `filePath` and `file_path` are one entry. `aliasesOf({path:
 * FILE})` gives the aliases of a tool: alias → published name.
 */
export function aliasesOf(published: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  const pairs = Object.entries(published).flatMap(([name, others]) => others.map((other) => [other, name] as const));
  return Object.fromEntries(pairs);
}

export const FILE = ['file_path', 'file', 'file_name', 'target_file', 'absolute_path', 'notebook_path', 'relative_workspace_path'];
export const FOLDER = [
  'dir',
  'directory',
  'folder',
  'dir_path',
  'directory_path',
  'root',
  'file_path',
  'search_path',
  'target_directory',
  'relative_workspace_path',
];
export const FIRST_LINE = ['start_line', 'line', 'from_line', 'start_line_one_indexed'];
export const LINE_COUNT = ['num_lines', 'max_lines', 'line_count', 'lines'];
export const OLD_TEXT = ['old_str', 'old_text', 'old_content', 'old', 'search', 'from'];
export const NEW_TEXT = ['new_str', 'new_text', 'new_content', 'new', 'replacement', 'to'];
export const EVERY = ['all', 'replace_every', 'allow_multiple'];
export const CONTENT = ['contents', 'text', 'data', 'file_text', 'file_content', 'code_content'];
export const PATH_PATTERN = ['glob', 'glob_pattern', 'file_pattern', 'query', 'file_glob'];
export const TEXT_PATTERN = ['query', 'regex', 'regexp', 'search', 'search_pattern', 'q'];
export const FILTER = ['include', 'glob', 'file_pattern', 'include_pattern', 'glob_pattern', 'file_glob'];
export const ANY_CASE = ['case_insensitive', 'ignore_case', 'i'];
export const CONTEXT = ['context_lines', 'C', 'num_context_lines', 'A', 'B'];
export const COMMAND = ['cmd', 'script', 'shell_command', 'command_line'];
export const TIME_LIMIT = ['timeout', 'timeout_millis', 'max_time_ms'];
export const HIDDEN = ['include_hidden', 'show_hidden', 'dot'];
