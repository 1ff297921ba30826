import type {Settings} from './settings.ts';

/** The settings without any file, variable or flag. */
export const DEFAULTS: Settings = {
  model: undefined,
  toolset: 'fettle',
  mode: 'ask',
  limits: {max_turns: 200, max_tokens: 5_000_000, max_cost_usd: 10, max_time_s: 3600},
  environment: {pass: [], set: {}},
  sandbox: {network: false, allowed_domains: [], writable: []},
  checkpoints: {keep: 'on', ignored: false, max_mb: 500, max_file_mb: 10, max_days: 30},
  context: {instruction_files: ['CLAUDE.md'], compact_at: 0.85, compaction: 'local'},
  harness: {continuation: 'exec', verify_timeout_s: 600, orchestration: 'single', max_revision_rounds: 2, models: {}},
  subagents: {max_concurrent: 3},
  traces: {content: false},
  provider_limits: {first_byte_s: 60, between_events_s: 90, stall_notice_s: 10, retries: 4},
  hooks: {},
  providers: {},
  custom_providers: [],
  tool_paths: [],
  enabled_tools: [],
  disabled_tools: [],
  composite_tools_enabled: true,
  tools: {},
  web_fetch: {private_hosts: []},
  web_search: {},
  code: {index: true, language_servers: 'trusted', diagnostics_s: 5, servers: []},
  mcp_servers: [],
};
