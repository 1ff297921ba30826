import type {WireFormat} from '../protocol/messages.ts';
import type {ProviderLimits} from './http/http-provider.ts';

/** Settings and environment of providers. */
export interface ProviderSettings {
  /** Variables with keys, base URLs and proxies; nothing else of the environment is read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly providers: readonly CustomProvider[];
  /** By name of the provider; stronger than the environment. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** By name of the provider: another variable for the key. */
  readonly keyVariables?: Readonly<Record<string, string>>;
  readonly limits: ProviderLimits;
  /** True: log probabilities are asked for, see {@link reportsLogprobs}. */
  readonly logprobs?: boolean | undefined;
  /** The temperature of every request; absent: none is sent. */
  readonly temperature?: number | undefined;
}

/** A server from the configuration, with the same keys. A custom provider may take the name of a built-in one. */
export interface CustomProvider {
  readonly name: string;
  readonly format: WireFormat;
  readonly base_url: string;
  readonly api_key_env?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly models?: readonly string[] | undefined;
}
