import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {SearchService} from './search-service.ts';

export interface WebSearchRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** The requests and responses of one search engine. */
interface SearchProvider {
  /** undefined: each server has its own address. */
  readonly baseUrl: string | undefined;
  readonly needsKey: boolean;
  request(asked: {base: string; key: string | undefined; query: string; count: number}): WebSearchRequest;
  /** Returns the list in the response; entries are not checked. */
  list(answer: JsonObject): Json | undefined;
  readonly snippet: string;
}

/** Brave Search API (GET /res/v1/web/search), Tavily (POST /search), SearXNG (GET /search?format=json), by their public references. */
export const SEARCH_PROVIDERS: Readonly<Record<SearchService['provider'], SearchProvider>> = {
  brave: {
    baseUrl: 'https://api.search.brave.com/res/v1',
    needsKey: true,
    request: ({base, key = '', query, count}) => ({
      url: withQuery(`${base}/web/search`, {q: query, count: String(count)}),
      method: 'GET',
      headers: {accept: 'application/json', 'x-subscription-token': key},
    }),
    list: ({web}) => (isJsonObject(web) ? web['results'] : undefined),
    snippet: 'description',
  },
  tavily: {
    baseUrl: 'https://api.tavily.com',
    needsKey: true,
    request: ({base, key = '', query, count}) => ({
      url: new URL(`${base}/search`),
      method: 'POST',
      headers: {accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${key}`},
      body: JSON.stringify({query, max_results: count}),
    }),
    list: ({results}) => results,
    snippet: 'content',
  },
  searxng: {
    baseUrl: undefined,
    needsKey: false,
    request: ({base, key, query}) => ({
      url: withQuery(`${base}/search`, {q: query, format: 'json'}),
      method: 'GET',
      headers: {accept: 'application/json', ...(key === undefined ? {} : {authorization: `Bearer ${key}`})},
    }),
    list: ({results}) => results,
    snippet: 'content',
  },
};

function withQuery(address: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
