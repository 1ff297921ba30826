import {rememberSecrets} from '../base/redact.ts';
import type {WireFormat} from '../protocol/messages.ts';
import type {Auth} from './http/http-provider.ts';
import {isLocalAddress} from './http/local-address.ts';
import type {ProviderSettings} from './provider-settings.ts';
import {BUILT_IN_PROVIDERS, type ProviderEntry} from './provider-table.ts';

/** One provider, as `models list` shows it: never the key. */
export interface ListedProvider {
  readonly name: string;
  readonly format: WireFormat;
  readonly baseUrl: string;
  readonly keyVariable: string | undefined;
  readonly hasKey: boolean;
  readonly isCustom: boolean;
  /** Models that the configuration names. */
  readonly models: readonly string[];
}

/** All providers that {@link openProvider} knows, custom ones first. */
export function listProviders(settings: ProviderSettings): readonly ListedProvider[] {
  const names = new Set([...settings.providers.map(({name}) => name), ...Object.keys(BUILT_IN_PROVIDERS)]);
  return [...names].flatMap((name) => {
    const entry = entryOf(name, settings);
    if (entry === undefined) return [];
    const custom = settings.providers.find((other) => other.name === name);
    const {format, baseUrl, keyVariable} = entry;
    const hasKey = authOf(entry, settings).key !== undefined;
    return [{name, format, baseUrl, keyVariable, hasKey, isCustom: custom !== undefined, models: custom?.models ?? []}];
  });
}

/** Returns the facts about a provider: from the configuration, else built in, with the base URL and the key variable that are set. */
export function entryOf(name: string, {env, providers, baseUrls, keyVariables = {}}: ProviderSettings): ProviderEntry | undefined {
  const custom = providers.find((other) => other.name === name);
  if (custom !== undefined) {
    const {format, base_url: baseUrl, api_key_env: keyVariable, headers} = custom;
    return {format, baseUrl, keyVariable, headers, isLocal: isLocalAddress(baseUrl)};
  }
  const entry = Object.hasOwn(BUILT_IN_PROVIDERS, name) ? BUILT_IN_PROVIDERS[name] : undefined;
  if (entry === undefined) return undefined;
  const fromEnv = env[entry.baseUrlVariable ?? '']?.trim();
  return {...entry, baseUrl: baseUrls[name] ?? (fromEnv || entry.baseUrl), keyVariable: keyVariables[name] ?? entry.keyVariable};
}

/** Returns how a provider gets its key, and the key if it is set; it is redacted in all output from then on. */
export function authOf({format, keyVariable}: ProviderEntry, {env}: ProviderSettings): Auth {
  const value = keyVariable === undefined ? undefined : env[keyVariable]?.trim();
  if (value !== undefined) rememberSecrets([value]);
  return {header: AUTH_HEADERS[format], key: value === '' ? undefined : value, keyVariable};
}

const AUTH_HEADERS: Readonly<Record<WireFormat, Auth['header']>> = {
  'openai-chat': 'authorization',
  'openai-responses': 'authorization',
  anthropic: 'x-api-key',
  gemini: 'x-goog-api-key',
};
