/**
 * Names of tools in other agents, beside those of `TOOL_ALIASES`, by the permission family that a rule for them means. They are not aliases of
 * our tools, because their arguments differ; a person who comes from such an agent writes rules with them.
 */
export const AGENT_NAMES: readonly AgentNames[] = [
  {agent: 'Claude Code', family: 'bash', names: ['power_shell']},
  {agent: 'Claude Code', family: 'bash', isPart: true, names: ['kill_shell', 'kill_bash', 'monitor']},
  {agent: 'Claude Code', family: 'edit', names: ['notebook_edit']},
  {agent: 'Claude Code', family: 'todo', isPart: true, names: ['task_create', 'task_get', 'task_list', 'task_update']},
  {agent: 'Claude Code', family: 'task', isPart: true, names: ['task_output', 'task_stop', 'send_message']},
  {
    agent: 'Claude Code',
    family: 'mcp_resources',
    names: ['list_mcp_resources', 'read_mcp_resource', 'list_mcp_resources_tool', 'read_mcp_resource_tool'],
  },
  {agent: 'Claude Code', family: 'read', isPart: true, names: ['lsp']},
  {agent: 'Anthropic text editor', family: 'edit', names: ['str_replace_editor', 'str_replace_based_edit_tool', 'text_editor']},
  {agent: 'Codex', family: 'read', names: ['view_image']},
  {agent: 'Codex', family: 'task', isPart: true, names: ['send_input', 'wait_agent', 'resume_agent', 'close_agent']},
  {agent: 'Codex', family: 'mcp_resources', names: ['list_mcp_resource_templates']},
  {agent: 'Gemini CLI', family: 'bash', names: ['shell_tool']},
  {agent: 'Gemini CLI', family: 'edit', names: ['edit_tool']},
  {agent: 'Gemini CLI', family: 'write', names: ['write_file_tool']},
  {agent: 'Gemini CLI', family: 'read', names: ['read_file_tool', 'read_many_files_tool']},
  {agent: 'Gemini CLI', family: 'ls', names: ['ls_tool']},
  {agent: 'Gemini CLI', family: 'grep', names: ['grep_tool']},
  {agent: 'Gemini CLI', family: 'glob', names: ['glob_tool']},
  {agent: 'Gemini CLI', family: 'web_fetch', names: ['web_fetch_tool']},
  {agent: 'Gemini CLI', family: 'web_search', names: ['web_search_tool']},
  {agent: 'Cline, Roo Code', family: 'edit', names: ['apply_diff', 'insert_content', 'search_and_replace']},
  {agent: 'Cline, Roo Code', family: 'read', names: ['list_code_definition_names']},
  {agent: 'Cline, Roo Code', family: 'bash', isPart: true, names: ['read_command_output']},
  {agent: 'Cline, Roo Code', family: 'todo', names: ['update_todo_list']},
  {agent: 'Cline, Roo Code', family: 'mcp_resources', names: ['access_mcp_resource']},
  {agent: 'Cursor', family: 'edit', names: ['search_replace', 'edit_notebook']},
  {agent: 'Cursor', family: 'bash', names: ['run_terminal_command']},
  {agent: 'Windsurf', family: 'glob', names: ['find_by_name']},
  {agent: 'Windsurf', family: 'read', names: ['view_code_item', 'view_file_outline', 'view_content_chunk']},
  {agent: 'Windsurf', family: 'bash', isPart: true, names: ['command_status', 'send_command_input']},
  {agent: 'Windsurf', family: 'web_fetch', names: ['read_url_content']},
  {
    agent: 'GitHub Copilot',
    family: 'edit',
    names: ['insert_edit_into_file', 'replace_string_in_file', 'multi_replace_string_in_file', 'edit_notebook_file', 'edit_files'],
  },
  {agent: 'GitHub Copilot', family: 'bash', isPart: true, names: ['get_terminal_output', 'run_commands', 'run_task', 'run_tests']},
  {agent: 'GitHub Copilot', family: 'web_fetch', names: ['fetch_webpage']},
  {agent: 'GitHub Copilot', family: 'task', names: ['run_subagent']},
  {agent: 'GitHub Copilot', family: 'grep', names: ['semantic_search']},
  {agent: 'Amp', family: 'web_fetch', names: ['read_web_page']},
  {agent: 'Zed', family: 'glob', names: ['find_path']},
  {agent: 'Crush', family: 'bash', isPart: true, names: ['job_output', 'job_kill']},
  {agent: 'Crush', family: 'web_fetch', names: ['download']},
  {agent: 'OpenHands, Kiro', family: 'bash', names: ['execute_bash', 'cmd_run']},
  {agent: 'Goose', family: 'bash', names: ['developer__shell']},
  {agent: 'Goose', family: 'edit', names: ['developer__text_editor']},
  {agent: 'Factory Droid', family: 'bash', names: ['execute']},
  {agent: 'VT Code', family: 'bash', names: ['unified_exec', 'create_pty_session']},
  {
    agent: 'VT Code',
    family: 'bash',
    isPart: true,
    names: ['send_pty_input', 'read_pty_session', 'list_pty_sessions', 'close_pty_session', 'resize_pty_session'],
  },
  {agent: 'VT Code', family: 'grep', also: ['glob', 'ls'], isPart: true, names: ['unified_search']},
  {agent: 'VT Code', family: 'grep', names: ['code_search']},
  {agent: 'VT Code', family: 'edit', also: ['read', 'write'], isPart: true, names: ['unified_file']},
];

interface AgentNames {
  readonly agent: string;
  /** One of `PERMISSION_FAMILIES`. */
  readonly family: string;
  /** Other families whose work they also do. */
  readonly also?: readonly string[];
  /**
   * True for tools that do a part of the family's work: deny and ask rules of the family apply to them, but a rule
   * that allows one does not allow the family.
   */
  readonly isPart?: true;
  readonly names: readonly string[];
}
