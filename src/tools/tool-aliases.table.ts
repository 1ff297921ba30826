/**
 * Names under which other agents know what a tool of this name does. The executor accepts them, no schema shows them.
 * Spelling is compared without case, `_` and `-`. Only names whose arguments mean the same stand here.
 */
export const TOOL_ALIASES: Readonly<Record<string, readonly string[]>> = {
  read: ['read_file', 'view', 'view_file', 'open_file', 'cat', 'get_file_contents', 'fs_read'],
  edit: ['edit_file', 'str_replace', 'string_replace', 'replace', 'replace_in_file', 'file_edit'],
  write: ['write_file', 'create_file', 'write_to_file', 'create', 'file_write', 'fs_write'],
  glob: ['find_files', 'glob_files', 'glob_search', 'file_search', 'find'],
  grep: ['grep_search', 'grep_file', 'grep_files', 'search_files', 'search_file_content', 'search_text', 'search', 'ripgrep', 'rg'],
  ls: ['list_dir', 'list_directory', 'list_files', 'list', 'dir'],
  bash: ['shell', 'run_command', 'execute_command', 'run_shell_command', 'run_terminal_cmd', 'terminal', 'exec', 'exec_command', 'sh'],
};
