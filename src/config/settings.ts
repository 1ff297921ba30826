import type {Json} from '../base/json.ts';

/** The settings in force. Spelled as in the file, so that one name serves files, messages and code. Rules are kept apart, with their sources. */
export interface Settings {
  /** `provider/model`; undefined: no model was chosen. */
  readonly model: string | undefined;
  readonly toolset: string;
  readonly mode: 'plan' | 'ask' | 'accept-edits' | 'full-auto';
  readonly limits: RunLimits;
  readonly provider_limits: ProviderLimits;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  readonly custom_providers: readonly CustomProvider[];
  /** Absolute, or behind `~`. */
  readonly tool_paths: readonly string[];
  /** Patterns for names; with any, `disabled_tools` is not looked at. */
  readonly enabled_tools: readonly string[];
  readonly disabled_tools: readonly string[];
  /** Whether models are told of tools that are made of other tools. */
  readonly composite_tools_enabled: boolean;
  readonly tools: Readonly<Record<string, ToolSettings>>;
  readonly mcp_servers: readonly McpServer[];
}

/** When a run is stopped. */
interface RunLimits {
  /** Requests to the model. */
  readonly max_turns: number;
  /** Input (cached input too) and output together. */
  readonly max_tokens: number;
  /** US dollars; cannot be enforced for a model without a known price. */
  readonly max_cost_usd: number;
  /** Wall clock. */
  readonly max_time_s: number;
}

/** Patience with a provider. */
interface ProviderLimits {
  readonly first_byte_s: number;
  readonly between_events_s: number;
  readonly stall_notice_s: number;
  readonly retries: number;
}

interface ProviderSettings {
  readonly base_url?: string;
  /** The name of a variable, never a key. */
  readonly api_key_env?: string;
}

interface CustomProvider extends ProviderSettings {
  readonly name: string;
  readonly format: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';
  readonly base_url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly models?: readonly string[];
}

/** Of one tool. Other keys are options of its own, for its schema to judge. */
export interface ToolSettings {
  readonly permission?: 'always' | 'never' | 'ask';
  readonly allowlist?: readonly string[];
  readonly denylist?: readonly string[];
  readonly [option: string]: Json | undefined;
}

/** A server of tools (Model Context Protocol). What is not named has the default that the reference gives. */
export interface McpServer {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  /** stdio: one program, no shell. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** http. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of a variable, never a key. */
  readonly api_key_env?: string;
  /** http: a login in a browser, instead of a key. */
  readonly auth?: 'oauth';
  readonly scopes?: readonly string[];
  readonly client_id?: string;
  /** The name of a variable, never a secret. */
  readonly client_secret_env?: string;
  readonly startup_timeout_s?: number;
  readonly tool_timeout_s?: number;
  readonly disabled?: boolean;
  readonly disabled_tools?: readonly string[];
  /** A hint for the model, added to the description of each tool. */
  readonly prompt?: string;
}

/** The lists of `[permissions]` in one file. */
export type RuleLists = Readonly<Partial<Record<'allow' | 'ask' | 'deny', readonly string[]>>>;
