/**
 * Families of names: what agents call the same thing, with arguments that mean the same. A call by any name of a family reaches the tool
 * of the session's toolset that bears another one of it. Executors accept these names, no schema shows them.
 * Spelling is compared without case, `_` and `-`.
 */
export const TOOL_ALIASES: Readonly<Record<string, readonly string[]>> = {
  read: ['read_file', 'view', 'view_file', 'cat', 'get_file_contents', 'fs_read'],
  edit: ['edit_file', 'str_replace', 'string_replace', 'replace', 'replace_in_file', 'file_edit'],
  write: ['write_file', 'create_file', 'write_to_file', 'write_file_validated', 'create', 'file_write', 'fs_write'],
  glob: ['find_files', 'find_files_glob', 'glob_files', 'glob_search', 'file_search', 'find'],
  grep: ['grep_search', 'grep_files', 'search_files', 'search_file_content', 'search_text', 'search', 'ripgrep', 'rg', 'grep_file'],
  ls: ['list_dir', 'list_directory', 'list', 'dir'],
  bash: ['shell', 'run_command', 'execute_command', 'run_shell_command', 'run_terminal_cmd', 'terminal', 'exec', 'exec_command', 'sh'],
  todo: ['todo_write', 'todo_read', 'write_todos', 'update_plan', 'manage_todo_list', 'task_tracker'],
  ask_user: ['ask_user_question', 'request_user_input', 'question'],
  task: ['agent', 'delegate', 'spawn_agent', 'dispatch_agent', 'subagent'],
  delete_file: ['remove_file', 'rm', 'fs_delete'],
  move_file: ['rename_file', 'mv', 'rename', 'move'],
  copy_file: ['cp', 'copy'],
  create_directory: ['mkdir', 'make_directory', 'create_folder', 'create_dir'],
  get_file_info: ['stat', 'file_info', 'stat_file', 'path_info'],
  apply_patch: [
    'apply_edit',
    'apply_patch_validated',
    'replace_file_content',
    'multi_replace_file_content',
    'multi_edit',
    'edit_many',
    'patch',
  ],
  web_fetch: ['fetch', 'fetch_url', 'read_url', 'get_url', 'browse'],
  web_search: ['google_web_search', 'search_web', 'google_search', 'internet_search'],
  skill: ['load_skill', 'use_skill', 'activate_skill'],
  exit_plan_mode: ['exit_plan', 'present_plan'],
  read_many_files: ['read_files', 'read_multiple_files', 'read_many'],
};
