import type {SearchService} from '../../tools/web/search-service.ts';
import type {WebAccess} from '../../tools/web/web-access.ts';
import {VERSION} from '../version.ts';
import type {SessionSettings} from './session-settings.ts';

/** Returns access to the web as configured. Opens no connection and resolves no name. */
export function webAccess({settings, env}: Pick<SessionSettings, 'settings' | 'env'>, secrets: readonly string[]): WebAccess {
  return {
    userAgent: `fettle/${VERSION}`,
    privateHosts: settings.web_fetch.private_hosts,
    secrets,
    lookup: (host) => process.getBuiltinModule('node:dns').promises.lookup(host, {all: true}),
    search: searchService(settings.web_search, env),
  };
}

function searchService(
  {provider, base_url: baseUrl, api_key_env: variable}: SessionSettings['settings']['web_search'],
  env: SessionSettings['env'],
): SearchService | undefined {
  if (provider === undefined) return undefined;
  const keyVariable = variable ?? KEY_VARIABLES[provider];
  const key = env[keyVariable];
  return {provider, baseUrl, key: key === '' ? undefined : key, keyVariable};
}

const KEY_VARIABLES = {brave: 'BRAVE_SEARCH_API_KEY', tavily: 'TAVILY_API_KEY', searxng: 'SEARXNG_API_KEY'} as const;
