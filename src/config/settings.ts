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

/** The lists of `[permissions]` in one file. */
export type RuleLists = Readonly<Partial<Record<'allow' | 'ask' | 'deny', readonly string[]>>>;
