import type {Json, JsonObject} from '../base/json.ts';

/** The settings in force. Keys are named as in the file, so that one name serves files, messages and code. Rules are separate, with their sources. */
export interface Settings {
  /** `provider/model`, or `auto`; undefined: no model was chosen. */
  readonly model: string | undefined;
  /** Models are asked for the log probability of each token. */
  readonly logprobs: boolean;
  /** Sent with each request to a model; undefined: none is sent. */
  readonly temperature?: number | undefined;
  /** The name of one, or `auto`. */
  readonly toolset: string;
  readonly edit_dialect: EditDialect | 'auto';
  readonly mode: 'plan' | 'ask' | 'accept-edits' | 'full-auto';
  readonly limits: RunLimits;
  readonly environment: CommandVariables;
  readonly sandbox: SandboxSettings;
  readonly checkpoints: CheckpointSettings;
  readonly context: ContextSettings;
  readonly harness: HarnessSettings;
  readonly subagents: SubagentSettings;
  readonly optimization: OptimizationSettings;
  readonly traces: TracesSettings;
  readonly provider_limits: ProviderLimits;
  /** By the name of the event, in either notation. */
  readonly hooks: Readonly<Record<string, readonly HookSettings[]>>;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  readonly custom_providers: readonly CustomProvider[];
  /** Absolute, or beginning with `~`. */
  readonly tool_paths: readonly string[];
  /** Patterns for names; with any, `disabled_tools` is not looked at. */
  readonly enabled_tools: readonly string[];
  readonly disabled_tools: readonly string[];
  /** True if composite tools are advertised to models. */
  readonly composite_tools_enabled: boolean;
  readonly tools: Readonly<Record<string, ToolSettings>>;
  /** Options that a trusted project writes below `tools`: for the tools that it brings along itself, and no others. */
  readonly project_tools?: Readonly<Record<string, JsonObject>>;
  readonly web_fetch: WebFetchSettings;
  readonly web_search: WebSearchSettings;
  readonly code: CodeSettings;
  readonly mcp_servers: readonly McpServer[];
  readonly schedule: ScheduleSettings;
  readonly terminal: TerminalSettings;
}

/** How a model writes edits: `own` as its toolset has it, `exact` an old and a new text, `blocks` search-and-replace blocks, `patch` several replacements or a patch. */
export type EditDialect = 'own' | 'exact' | 'blocks' | 'patch';

/** Scheduled jobs. A project has no say in them. */
interface ScheduleSettings {
  /** Program and arguments; empty: a notification of the desktop. */
  readonly notify: readonly string[];
}

/** The interactive session. A project has no say in it. */
export interface TerminalSettings {
  readonly surface: 'auto' | 'inline' | 'alternate' | 'lines';
  readonly theme: 'auto' | 'dark' | 'light' | 'none';
  readonly vim: boolean;
  readonly bell: boolean;
  /** Keys by the name of their action. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** A shell line; absent: nothing runs. */
  readonly status_command?: string;
}

/** The index of code, and language servers. */
export interface CodeSettings {
  readonly index: boolean;
  readonly language_servers: 'trusted' | 'off';
  /** 0: not asked. */
  readonly diagnostics_s: number;
  readonly servers: readonly LanguageServerSettings[];
}

interface LanguageServerSettings {
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly languages: readonly string[];
}

/** The limits at which a run is stopped. */
interface RunLimits {
  /** Requests to the model. */
  readonly max_turns: number;
  /** Input (cached input too) and output together. */
  readonly max_tokens: number;
  /** US dollars; cannot be enforced for a model without a known price. */
  readonly max_cost_usd: number;
  /** Wall clock. */
  readonly max_time_s: number;
  /** Megabytes of one command with all that it starts; absent: a share of the available memory. */
  readonly command_memory_mb?: number;
  /** Bytes by which free space may fall while a command runs; absent: a share of the free space. */
  readonly command_disk_mb?: number;
}

/** Variables that commands see, besides the harmless ones. */
interface CommandVariables {
  /** Names of variables of the owner, or globs with `*`. */
  readonly pass: readonly string[];
  readonly set: Readonly<Record<string, string>>;
}

/** OS sandbox around commands. */
export interface SandboxSettings {
  /** Absent: `workspace-write` in the mode full-auto, `off` in the others. */
  readonly profile?: 'off' | 'read-only' | 'workspace-write';
  readonly network: boolean;
  /** Exact, or after `*.`. */
  readonly allowed_domains: readonly string[];
  /** Absolute. */
  readonly writable: readonly string[];
}

/** Settings of the checkpoints used for undo. */
export interface CheckpointSettings {
  /** `required`: a change that cannot be backed up is not made. */
  readonly keep: 'on' | 'off' | 'required';
  /** True: also covers changes of commands to files that .gitignore excludes. */
  readonly ignored: boolean;
  /** For one workspace. */
  readonly max_mb: number;
  readonly max_file_mb: number;
  readonly max_days: number;
}

/** Limits of subagents. */
interface SubagentSettings {
  /** The number of subagents that work at the same time. */
  readonly max_concurrent: number;
}

/** How choices are learned from outcomes (VT Code architecture › RL Optimization Loop). */
export interface OptimizationSettings {
  /** False: nothing is chosen by learning, and nothing of it is loaded. */
  readonly enabled: boolean;
  /** The models that `model = "auto"` may choose, `provider/model`. */
  readonly models: readonly string[];
  /** The toolsets that `toolset = "auto"` may choose. */
  readonly toolsets: readonly string[];
  /** The edit dialects that `edit_dialect = "auto"` may choose. */
  readonly edit_dialects: readonly EditDialect[];
  /** The largest share of runs in which each of these may try another than the best that is known. */
  readonly explore_share: number;
  readonly strategy: 'bandit' | 'epsilon_greedy' | 'ucb1' | 'ucb1_tuned' | 'thompson' | 'linucb' | 'actor_critic';
  readonly bandit: {
    /** Share of choices that explore: `bandit` and `epsilon_greedy`. */
    readonly exploration_epsilon: number;
    /** `bandit`: an outcome counts at least as much as one of so many. */
    readonly rolling_window: number;
    /** The most that an action loses in a comparison when it is slower than the latency budget of the context. */
    readonly latency_weight: number;
    /** Factor on the weight of all earlier outcomes at each new one; 1: nothing fades. All strategies but `linucb` and `actor_critic`. */
    readonly discount: number;
  };
  readonly actor_critic: {
    /** The smallest share of a difference that is learned from one outcome, over all choices of an episode. */
    readonly learning_rate: number;
    /** Per choice that lies between a choice and an outcome of the same episode. */
    readonly discount_factor: number;
    readonly trace_decay: number;
  };
  readonly reward_shaping: {
    readonly success_reward: number;
    /** The value of a run that failed or reached a limit. */
    readonly timeout_penalty: number;
    readonly latency_penalty_weight: number;
    readonly cost_penalty_weight: number;
  };
}

/** Settings for the context of a model. */
interface ContextSettings {
  /** Names for the instruction file of a folder that has no AGENTS.md, strong to weak. */
  readonly instruction_files: readonly string[];
  /** Share of the window of the model; from 1 on it is done only when the provider refuses. */
  readonly compact_at: number;
  /** The method of compaction that is tried first; the provider's only if it has one. */
  readonly compaction: 'local' | 'provider';
  /** `provider/model` that summarises older messages; absent: the model of the session. */
  readonly summary_model?: string;
  /** Tokens of input and output together, if the catalogue does not know the window, or to override it. */
  readonly window_tokens?: number;
}

/** A command that runs by itself at an event. */
interface HookSettings {
  readonly matcher?: string;
  readonly command: string;
  readonly timeout_s?: number;
}

/** Settings for the end of a run, and for planning and evaluating its work. */
export interface HarnessSettings {
  /**
   * Which runs continue until the task list is complete and verified: `exec` those without a person or in full-auto, `full-auto` only the
   * latter, `all` also chats.
   */
  readonly continuation: 'exec' | 'full-auto' | 'all' | 'off';
  /** Timeout of one command; a command still running then is not verified. */
  readonly verify_timeout_s: number;
  /** With a planner before and an evaluator after, in the runs that `continuation` names. */
  readonly orchestration: 'single' | 'plan_build_evaluate';
  readonly max_revision_rounds: number;
  /** `provider/model`; absent: the model of the thread. */
  readonly models: {readonly planner?: string; readonly evaluator?: string};
}

/** Spans for an OpenTelemetry receiver. */
interface TracesSettings {
  /** Without `/v1/traces`; absent: taken from the variables of OpenTelemetry. */
  readonly otlp_endpoint?: string;
  /** True if spans include messages, arguments and results. */
  readonly content: boolean;
}

/** Timeouts and retries of provider requests. */
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

/** Settings of one tool. Other keys are its own options, validated by its schema. */
export interface ToolSettings {
  readonly permission?: 'always' | 'never' | 'ask';
  readonly allowlist?: readonly string[];
  readonly denylist?: readonly string[];
  readonly [option: string]: Json | undefined;
}

interface WebFetchSettings {
  /** Exact names or addresses. */
  readonly private_hosts: readonly string[];
}

/** Without a provider there is no search. */
interface WebSearchSettings {
  readonly provider?: 'brave' | 'tavily' | 'searxng';
  readonly base_url?: string;
  /** The name of a variable, never a key. */
  readonly api_key_env?: string;
}

/** An MCP server. Missing keys have the defaults in the reference. */
export interface McpServer {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  /** stdio: one program, no shell. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** stdio, false: the server does not learn the working folder. */
  readonly roots?: boolean;
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
