import {FettleError} from '../base/errors.ts';
import type {ProviderLimits} from './http/http-provider.ts';
import {completeBaseUrl} from './http/base-url.ts';
import type {LocalServer} from './local-window.ts';
import {wireOf} from './open-wire.ts';
import {COMMON_DIALECT, type ProviderEntry} from './provider-table.ts';
import {authOf, entryOf, listProviders} from './provider-entry.ts';
import type {ProviderSettings} from './provider-settings.ts';
import type {Provider} from './provider.ts';

/**
 * Opens `provider/model`, `script:FILE` or `replay:FILE`. No network: a wrong key or a server that is down shows at the first request.
 * CONFIG if the reference or the base URL is wrong.
 */
export async function openProvider(modelRef: string, settings: ProviderSettings): Promise<Provider> {
  const [provider, {separateThinking}] = await Promise.all([openSource(modelRef, settings), import('./thinking/separate-thinking.ts')]);
  return separateThinking(provider);
}

async function openSource(modelRef: string, settings: ProviderSettings): Promise<Provider> {
  const [, scheme, file] = /^(script|replay):(.+)$/s.exec(modelRef) ?? [];
  if (scheme === 'script' && file !== undefined) return (await import('./scripted/script.ts')).createScriptProvider(file);
  if (scheme === 'replay' && file !== undefined) return (await import('./scripted/replay.ts')).createScriptedReplay(file);
  const slash = modelRef.indexOf('/');
  const name = modelRef.slice(0, Math.max(0, slash));
  const wireModel = modelRef.slice(slash + 1);
  if (name === '' || wireModel === '') throw notAReference(modelRef);
  const entry = entryOf(name, settings) ?? (await unknownProvider(name, settings));
  if (!URL.canParse(entry.baseUrl) || !/^https?:/.test(entry.baseUrl)) throw badBaseUrl(name, entry.baseUrl);
  const [{createHttpProvider}, {createHttpClient}, {modelInfo}, wire] = await Promise.all([
    import('./http/http-provider.ts'),
    import('./http/http-client.ts'),
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
    temperature: settings.temperature,
    http: createHttpClient(settings.env),
  });
}

/** Returns the local server of `provider/model`, to query it about the model; undefined for hosted ones, scripts and recordings. */
export async function localServerOf(modelRef: string, settings: ProviderSettings): Promise<LocalServer | undefined> {
  const [, provider = '', wireModel = ''] = /^([^/:]+)\/(.+)$/s.exec(modelRef) ?? [];
  const entry = wireModel === '' ? undefined : entryOf(provider, settings);
  if (entry?.isLocal !== true || !URL.canParse(entry.baseUrl) || !/^https?:/.test(entry.baseUrl)) return undefined;
  const {createHttpClient} = await import('./http/http-client.ts');
  const {key} = authOf(entry, settings);
  const headers = {...(key === undefined ? {} : {authorization: `Bearer ${key}`}), ...entry.headers};
  const baseUrl = completeBaseUrl(entry.baseUrl, entry.format === 'anthropic' ? 'openai-chat' : entry.format);
  return {provider, wireModel, baseUrl, headers, http: createHttpClient(settings.env), env: settings.env};
}

/** False if the server of `provider/model` has no log probabilities for any request; a script has none either, a recording has those of its log. */
export function reportsLogprobs(modelRef: string, settings: ProviderSettings): boolean {
  const {format, dialect = COMMON_DIALECT} = entryOf(modelRef.split('/', 1)[0] ?? '', settings) ?? {};
  return format !== 'anthropic' && (format !== 'openai-chat' || dialect.hasLogprobs) && !modelRef.startsWith('script:');
}

function limitsOf({isLocal = false}: ProviderEntry, limits: ProviderLimits): ProviderLimits {
  return isLocal ? {...limits, firstByteMs: limits.firstByteMs * LOCAL_LIMITS} : limits;
}

/** Servers on this machine have this many times longer for the first byte; the silence is shown nevertheless. */
const LOCAL_LIMITS = 10;

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
  return new FettleError({
    code: 'CONFIG',
    message,
    hint: 'It must begin with http:// or https:// and must not include the path of an endpoint.',
  });
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
