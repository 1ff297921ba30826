import type {IncomingMessage} from 'node:http';
import {FettleError} from '../../base/errors.ts';
import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {withinNetworkTime} from './network-deadline.ts';
import {readBody} from './read-body.ts';
import {SEARCH_PROVIDERS, type SearchHit} from './search-providers.ts';
import type {SearchService} from './search-service.ts';
import {sendRequest} from './send-request.ts';
import {visible} from './visible-characters.ts';

export interface SearchOptions {
  readonly service: SearchService;
  readonly userAgent: string;
  readonly query: string;
  /** The most hits to return. */
  readonly count: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_CHARS = {title: 200, url: 2000, snippet: 500};

/**
 * Returns the base address of the configured search engine, which permission rules see. Throws UNAVAILABLE if
 * its address or key is missing.
 */
export function searchBase({provider, baseUrl, key, keyVariable}: SearchService): URL {
  const {baseUrl: own, needsKey} = SEARCH_PROVIDERS[provider];
  const address = baseUrl ?? own;
  const problem =
    address === undefined
      ? {message: `The address of the ${provider} server is not configured.`, hint: 'The user can set web_search.base_url.'}
      : needsKey && key === undefined
        ? {message: `There is no key for ${provider}: ${keyVariable} is not set.`, hint: 'The user can set that variable.'}
        : undefined;
  if (problem !== undefined || address === undefined) throw new FettleError({code: 'UNAVAILABLE', message: '', ...problem});
  return new URL(address);
}

/**
 * Asks the search engine that a person configured; nothing else is called, no redirect followed. Throws UNAVAILABLE, AUTH, PROVIDER, TIMEOUT,
 * TOO_LARGE; no message contains the key.
 */
export async function askSearchService(options: SearchOptions): Promise<readonly SearchHit[]> {
  const {service, query, count, timeoutMs, signal, userAgent} = options;
  const base = searchBase(service).href.replace(/\/+$/, '');
  const {request: make, list, snippet} = SEARCH_PROVIDERS[service.provider];
  const {headers, ...request} = make({base, key: service.key, query, count});
  const answer = await withinNetworkTime(timeoutMs, signal, async ({signal: inner}) => {
    const incoming = await sendRequest({
      ...request,
      headers: {...headers, 'user-agent': userAgent, 'accept-encoding': 'gzip'},
      signal: inner,
    });
    requireSuccess(incoming, service);
    return parsed(await readBody(incoming, MAX_ANSWER_BYTES, inner), service);
  });
  const found = list(answer);
  const entries = Array.isArray(found) ? (found as readonly Json[]).filter(isJsonObject) : [];
  return entries.flatMap((entry) => hitOf(entry, snippet)).slice(0, count);
}

function requireSuccess(answer: IncomingMessage, {provider, keyVariable}: SearchService): void {
  const {statusCode: status = 0} = answer;
  if (status === 200) return;
  answer.destroy();
  const isKey = status === 401 || (status === 403 && provider !== 'searxng');
  throw new FettleError({
    code: isKey ? 'AUTH' : 'PROVIDER',
    message: `${provider} answered with status ${status}.`,
    hint: isKey ? `Is the key in ${keyVariable} right?` : hintFor(status, provider),
  });
}

function hintFor(status: number, provider: SearchService['provider']): string {
  if (status === 403 && provider === 'searxng') return 'Its settings must list json under search.formats.';
  return status === 429 ? 'The quota is used up; try again later.' : 'Try again later.';
}

function parsed(body: Buffer, {provider}: SearchService): JsonObject {
  try {
    const value = JSON.parse(body.toString('utf8')) as Json;
    if (isJsonObject(value)) return value;
  } catch {
    // reported below
  }
  throw new FettleError({code: 'PROVIDER', message: `${provider} did not answer with JSON.`, hint: 'Is web_search.base_url right?'});
}

function hitOf(entry: JsonObject, snippetKey: string): SearchHit[] {
  const address = URL.parse(textOf(entry['url'], MAX_CHARS.url));
  if (address === null || !['http:', 'https:'].includes(address.protocol)) return [];
  return [{title: textOf(entry['title'], MAX_CHARS.title), url: address.href, snippet: textOf(entry[snippetKey], MAX_CHARS.snippet)}];
}

/** Returns the text on one line, without the tags that highlight matches. */
function textOf(value: Json | undefined, maxChars: number): string {
  if (typeof value !== 'string') return '';
  const text = visible(value.slice(0, maxChars * 4))
    .replaceAll(/<\/?(?:strong|b|em|mark)>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text;
}
