import type {Settings} from './settings.ts';

/** The settings without any file, variable or flag. */
export const DEFAULTS: Settings = {
  model: undefined,
  toolset: 'fettle',
  mode: 'ask',
  limits: {max_turns: 200, max_tokens: 5_000_000, max_cost_usd: 10, max_time_s: 3600},
  provider_limits: {first_byte_s: 60, between_events_s: 90, stall_notice_s: 10, retries: 4},
  providers: {},
  custom_providers: [],
  tool_paths: [],
  enabled_tools: [],
  disabled_tools: [],
  composite_tools_enabled: true,
  tools: {},
  mcp_servers: [],
};
