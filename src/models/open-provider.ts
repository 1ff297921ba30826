import {FettleError} from '../base/errors.ts';
import {rememberSecrets} from '../base/redact.ts';
import type {WireFormat} from '../protocol/messages.ts';
import type {Auth, ProviderLimits} from './http/http-provider.ts';
import {completeBaseUrl} from './http/base-url.ts';
import {isLocalAddress} from './http/local-address.ts';
import type {LocalServer} from './local-window.ts';
import {BUILT_IN_PROVIDERS, COMMON_DIALECT, type ProviderEntry} from './provider-table.ts';
import type {ChatDialect} from './openai/openai-chat.ts';
import type {Provider} from './provider.ts';
import type {Wire} from './wire.ts';

export interface ProviderSettings {
  /** Where keys, base URLs and proxies are looked up; nothing else of the environment is read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly providers: readonly CustomProvider[];
  /** By name of the provider; stronger than the environment. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** By name of the provider: another variable for the key. */
  readonly keyVariables?: Readonly<Record<string, string>>;
  readonly limits: ProviderLimits;
  /** True: log probabilities are asked for, see {@link tellsLogprobs}. */
  readonly logprobs?: boolean | undefined;
}

/** A server from the configuration, spelled as there. A custom provider may take the name of a built-in one. */
export interface CustomProvider {
  readonly name: string;
  readonly format: WireFormat;
  readonly base_url: string;
  readonly api_key_env?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly models?: readonly string[] | undefined;
}

/**
 * Opens `provider/model`, `script:FILE` or `replay:FILE`. No network: a wrong key or a server that is down shows at the first request.
 * CONFIG where the reference or the base URL is wrong.
 */
export async function openProvider(modelRef: string, settings: ProviderSettings): Promise<Provider> {
  const [provider, {separateThinking}] = await Promise.all([openSource(modelRef, settings), import('./thinking/separate-thinking.ts')]);
  return separateThinking(provider);
}

async function openSource(modelRef: string, settings: ProviderSettings): Promise<Provider> {
  const [, scheme, file] = /^(script|replay):(.+)$/s.exec(modelRef) ?? [];
  if (scheme === 'script' && file !== undefined) return (await import('./scripted/script.ts')).createScriptProvider(file);
  if (scheme === 'replay' && file !== undefined) return (await import('./scripted/replay.ts')).createReplayProvider(file);
  const slash = modelRef.indexOf('/');
  const name = modelRef.slice(0, Math.max(0, slash));
  const wireModel = modelRef.slice(slash + 1);
  if (name === '' || wireModel === '') throw notAReference(modelRef);
  const entry = entryOf(name, settings) ?? (await unknownProvider(name, settings));
  if (!URL.canParse(entry.baseUrl) || !/^https?:/.test(entry.baseUrl)) throw badBaseUrl(name, entry.baseUrl);
  const [{createHttpProvider}, {createHttpClient}, {modelInfo}, wire] = await Promise.all([
    import('./http/http-provider.ts'),
    import('./http/http-stream.ts'),
    import('./catalog.ts'),
    wireOf(entry),
  ]);
  return createHttpProvider({
    model: modelRef,
    wireModel,
    wire,
    baseUrl: completeBaseUrl(entry.baseUrl, entry.format),
    auth: authOf(entry, settings),
    headers: entry.headers,
    limits: limitsOf(entry, settings.limits),
    prices: modelInfo(modelRef).prices,
    logprobs: settings.logprobs,
    http: createHttpClient(settings.env),
  });
}

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

/** Returns the local server behind `provider/model`, to be asked about the model; undefined for hosted ones, scripts and recordings. */
export async function localServerOf(modelRef: string, settings: ProviderSettings): Promise<LocalServer | undefined> {
  const [, provider = '', wireModel = ''] = /^([^/:]+)\/(.+)$/s.exec(modelRef) ?? [];
  const entry = wireModel === '' ? undefined : entryOf(provider, settings);
  if (entry?.isLocal !== true || !URL.canParse(entry.baseUrl) || !/^https?:/.test(entry.baseUrl)) return undefined;
  const {createHttpClient} = await import('./http/http-stream.ts');
  const {key} = authOf(entry, settings);
  const headers = {...(key === undefined ? {} : {authorization: `Bearer ${key}`}), ...entry.headers};
  const baseUrl = completeBaseUrl(entry.baseUrl, entry.format === 'anthropic' ? 'openai-chat' : entry.format);
  return {provider, wireModel, baseUrl, headers, http: createHttpClient(settings.env), env: settings.env};
}

/** False where the server of `provider/model` has no log probabilities for whoever asks; a script has none either, a recording those of its log. */
export function tellsLogprobs(modelRef: string, settings: ProviderSettings): boolean {
  const {format, dialect = COMMON_DIALECT} = entryOf(modelRef.split('/', 1)[0] ?? '', settings) ?? {};
  return format !== 'anthropic' && (format !== 'openai-chat' || dialect.hasLogprobs) && !modelRef.startsWith('script:');
}

function entryOf(name: string, {env, providers, baseUrls, keyVariables = {}}: ProviderSettings): ProviderEntry | undefined {
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

function limitsOf({isLocal = false}: ProviderEntry, limits: ProviderLimits): ProviderLimits {
  return isLocal ? {...limits, firstByteMs: limits.firstByteMs * LOCAL_PATIENCE} : limits;
}

/** Servers on the own machine have so many times longer for the first byte; the silence is shown all the same. */
const LOCAL_PATIENCE = 10;

function authOf({format, keyVariable}: ProviderEntry, {env}: ProviderSettings): Auth {
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

function wireOf({format, dialect}: ProviderEntry): Promise<Wire> {
  return WIRES[format](dialect ?? COMMON_DIALECT);
}

const WIRES: Readonly<Record<WireFormat, (dialect: ChatDialect) => Promise<Wire>>> = {
  'openai-chat': async (dialect) => (await import('./openai/openai-chat.ts')).createChatWire(dialect),
  'openai-responses': async () => (await import('./openai/openai-responses.ts')).responsesWire,
  anthropic: async () => (await import('./anthropic/anthropic.ts')).anthropicWire,
  gemini: async () => (await import('./gemini/gemini.ts')).geminiWire,
};

function notAReference(modelRef: string): FettleError {
  const message = `Not a model: ${JSON.stringify(modelRef)}.`;
  return new FettleError({
    code: 'CONFIG',
    message,
    hint: 'Write provider/model, script:FILE or replay:FILE; `fettle models list` shows the providers.',
  });
}

function badBaseUrl(name: string, baseUrl: string): FettleError {
  const message = `The base URL of ${name} is not an http address: ${JSON.stringify(baseUrl.replace(/\/\/[^/@]*@/, '//'))}.`;
  return new FettleError({code: 'CONFIG', message, hint: 'It begins with http:// or https:// and has no path of an endpoint.'});
}

async function unknownProvider(name: string, settings: ProviderSettings): Promise<never> {
  const {nearestWord} = await import('../base/nearest-word.ts');
  const names = listProviders(settings).map((provider) => provider.name);
  const nearest = nearestWord(name, names);
  throw new FettleError({
    code: 'CONFIG',
    message: `Unknown provider ${JSON.stringify(name)}${nearest === undefined ? '' : `; the nearest is ${nearest}`}.`,
    hint: `Known: ${names.join(', ')}. Others go into [[custom_providers]] of the configuration.`,
  });
}
