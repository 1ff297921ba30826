import {isJsonObject, type Json, type JsonObject} from '../../../base/json.ts';
import type {Variables} from '../../../exec/variables/child-environment.ts';
import type {AgentCommand} from '../rollout-request.ts';

/** Returns settings without what the relay adds to requests: headers of servers, names and passwords in addresses. */
export function relayedSettings(settings: JsonObject): JsonObject {
  const {providers, custom_providers: custom} = settings;
  return {
    ...settings,
    ...(isJsonObject(providers)
      ? {providers: Object.fromEntries(Object.entries(providers).map(([name, one]) => [name, withoutLogin(one)]))}
      : {}),
    ...(Array.isArray(custom) ? {custom_providers: custom.map(withoutHeaders)} : {}),
  };
}

/** Returns the variables of the agent with the token instead of every key. */
export function relayedVariables({secrets, upstreams = []}: Pick<AgentCommand, 'secrets' | 'upstreams'>, token: string): Variables {
  const isKey = new Set(upstreams.flatMap(({keyVariable}) => keyVariable ?? []));
  return Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, isKey.has(name) ? token : plainAddress(value)]));
}

function withoutHeaders(provider: Json): Json {
  if (!isJsonObject(provider)) return provider;
  const {headers: _, ...rest} = provider;
  return withoutLogin(rest);
}

function withoutLogin(provider: Json | undefined): Json {
  if (!isJsonObject(provider)) return provider ?? null;
  const {base_url: address} = provider;
  return typeof address === 'string' ? {...provider, base_url: plainAddress(address)} : provider;
}

function plainAddress(address: string): string {
  return address.replace(/^(https?:\/\/)[^/@]*@/, '$1');
}
