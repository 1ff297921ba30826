import {describe, expect, it} from 'vitest';
import type {ToolContext} from '../../../../src/tools/context.ts';
import {searchWeb} from '../../../../src/tools/operations/web/search-web.ts';
import type {SearchService} from '../../../../src/tools/web/search-service.ts';
import {outcomeOf} from '../../support/run-operation.ts';
import {send, webServer, type WebServer} from '../../support/web-server.ts';

const KEY = 'k-0123456789';

/** The services are addressed by the loopback itself: whoever configures one may have it on this machine. */
const base = (web: WebServer, path = ''): string => web.url(path, '127.0.0.1');

async function search(
  service: Partial<SearchService> & Pick<SearchService, 'provider'>,
  query: string,
  timeoutMs = 10_000,
): Promise<unknown> {
  const full: SearchService = {baseUrl: undefined, key: KEY, keyVariable: 'SEARCH_KEY', ...service};
  const web = {userAgent: 'fettle/test', privateHosts: [], secrets: ['hunter22hunter'], lookup: async () => [], search: full};
  const ctx = {web, signal: new AbortController().signal} as unknown as ToolContext;
  return await outcomeOf(searchWeb, {query, count: 2, timeoutMs}, {ctx});
}

const json = (value: unknown) => webServer((_, response) => send(response, JSON.stringify(value), {'content-type': 'application/json'}));
const TWO = [
  {title: 'One', url: 'https://one.example/a', snippet: 'first'},
  {title: 'Two', url: 'https://two.example/', snippet: ''},
];

describe('web_search: the providers, by their public references', () => {
  it('Brave Search API: GET /web/search with X-Subscription-Token', async () => {
    const web = await json({
      type: 'search',
      web: {
        results: [
          {title: 'One', url: 'https://one.example/a', description: '<strong>first</strong>'},
          {title: 'Two', url: 'https://two.example'},
          {},
        ],
      },
    });
    expect(await search({provider: 'brave', baseUrl: base(web, '/res/v1/')}, 'a b&c')).toEqual({provider: 'brave', hits: TWO});
    expect(web.requests).toEqual(['GET 127.0.0.1 /res/v1/web/search?q=a+b%26c&count=2']);
    expect(web.headers).toMatchObject([{'x-subscription-token': KEY, accept: 'application/json', 'user-agent': 'fettle/test'}]);
  });

  it('Tavily: POST /search with a bearer token', async () => {
    const web = await json({
      results: [
        {title: 'One', url: 'https://one.example/a', content: 'first', score: 0.9},
        {title: 'Two', url: 'https://two.example', content: null},
      ],
    });
    expect(await search({provider: 'tavily', baseUrl: base(web)}, ' words ')).toEqual({provider: 'tavily', hits: TWO});
    expect(web.requests).toEqual(['POST 127.0.0.1 /search']);
    expect(web.headers).toMatchObject([{authorization: `Bearer ${KEY}`, 'content-type': 'application/json'}]);
    expect(JSON.parse(web.bodies[0] ?? '')).toEqual({query: 'words', max_results: 2});
  });

  it('SearXNG: GET /search?format=json, also without a key', async () => {
    const web = await json({
      results: [
        {title: 'One', url: 'https://one.example/a', content: 'first'},
        {title: 'Two', url: 'https://two.example'},
        {title: 'Three'},
      ],
    });
    expect(await search({provider: 'searxng', baseUrl: base(web, '/searx'), key: undefined}, 'words')).toEqual({
      provider: 'searxng',
      hits: TWO,
    });
    expect(web.requests).toEqual(['GET 127.0.0.1 /searx/search?q=words&format=json']);
    expect(web.headers[0]?.authorization).toBeUndefined();
  });

  it('what is not a result, or leads elsewhere than the web, is left out; long and hidden text is cut', async () => {
    const web = await json({
      results: [
        {title: 'bad', url: 'javascript:alert(1)'},
        'text',
        null,
        {url: 7},
        {title: `T\u202e\n${'t'.repeat(300)}`, url: 'https://one.example/', content: 'c'.repeat(2000)},
      ],
    });
    expect(await search({provider: 'tavily', baseUrl: base(web)}, 'x')).toEqual({
      provider: 'tavily',
      hits: [{title: `T ${'t'.repeat(198)}…`, url: 'https://one.example/', snippet: `${'c'.repeat(500)}…`}],
    });
  });
});

describe('web_search: what goes wrong', () => {
  it('nothing is configured: nothing is called, and the model is told which setting it takes', async () => {
    const ctx = {signal: new AbortController().signal} as ToolContext;
    expect(await outcomeOf(searchWeb, {query: 'x', count: 1, timeoutMs: 1000}, {ctx})).toEqual({
      code: 'UNAVAILABLE',
      message: 'No search engine is configured.',
      hint: 'The user can set web_search.provider to brave, tavily or searxng; web_fetch reads known addresses.',
    });
    expect(await search({provider: 'searxng'}, 'x')).toEqual({
      code: 'UNAVAILABLE',
      message: 'The address of the searxng server is not configured.',
      hint: 'The user can set web_search.base_url.',
    });
    expect(await search({provider: 'brave', key: undefined}, 'x')).toEqual({
      code: 'UNAVAILABLE',
      message: 'There is no key for brave: SEARCH_KEY is not set.',
      hint: 'The user can set that variable.',
    });
  });

  it.each([
    ['brave', 401, 'AUTH', 'Is the key in SEARCH_KEY right?'],
    ['tavily', 403, 'AUTH', 'Is the key in SEARCH_KEY right?'],
    ['searxng', 403, 'PROVIDER', 'Its settings must list json under search.formats.'],
    ['brave', 429, 'PROVIDER', 'The quota is used up; try again later.'],
    ['tavily', 500, 'PROVIDER', 'Try again later.'],
    ['tavily', 302, 'PROVIDER', 'Try again later.'],
  ] as const)('%s answers with status %d: %s; nothing is followed, and no message has the key', async (provider, status, code, hint) => {
    const web = await webServer((_, response) => void response.writeHead(status, {location: '/elsewhere'}).end(KEY));
    expect(await search({provider, baseUrl: base(web)}, 'x')).toEqual({code, message: `${provider} answered with status ${status}.`, hint});
    expect(web.requests.length).toBe(1);
  });

  it('an answer that is not JSON, one that is too large, one that does not come', async () => {
    const page = await webServer((_, response) => send(response, '<html>'));
    expect(await search({provider: 'searxng', baseUrl: base(page)}, 'x')).toMatchObject({message: 'searxng did not answer with JSON.'});
    const large = await webServer((_, response) => send(response, Buffer.alloc(3 * 1024 * 1024)));
    expect(await search({provider: 'searxng', baseUrl: base(large)}, 'x')).toMatchObject({code: 'TOO_LARGE'});
    const silent = await webServer(() => undefined);
    expect(await search({provider: 'searxng', baseUrl: base(silent)}, 'x', 60)).toMatchObject({code: 'TIMEOUT'});
  });

  it('an empty query, one that is too long, and one with the value of a secret variable', async () => {
    const web = await webServer(() => undefined);
    const service = {provider: 'searxng', baseUrl: base(web)} as const;
    expect(await search(service, ' ')).toMatchObject({code: 'BAD_ARGS', message: 'The query has 0 characters, not 1 to 400.'});
    expect(await search(service, 'x'.repeat(401))).toMatchObject({
      code: 'BAD_ARGS',
      message: 'The query has 401 characters, not 1 to 400.',
    });
    expect(await search(service, 'what is hunter22hunter')).toMatchObject({code: 'DENIED'});
    expect(web.requests).toEqual([]);
  });
});
