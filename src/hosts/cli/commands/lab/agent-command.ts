import type {JsonObject} from '../../../../base/json.ts';
import type {AgentCommand, ModelUpstream} from '../../../../lab/rollout/rollout-request.ts';
import {completeBaseUrl} from '../../../../models/http/base-url.ts';
import {authOf, entryOf} from '../../../../models/provider-entry.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {VERSION} from '../../../../sdk/version.ts';
import type {Io} from '../../io.ts';

/** Returns how `fettle exec` is started by rollouts of these models: this program, with the providers of the person and their keys. */
export function agentCommand(io: Pick<Io, 'env'>, settings: SessionSettings, models: readonly string[]): AgentCommand {
  return {
    program: process.execPath,
    args: [...process.execArgv, process.argv[1] ?? ''],
    env: io.env,
    secrets: keysOf(models, settings),
    upstreams: upstreamsOf(models, settings),
    settings: agentSettings(settings),
    version: VERSION,
  };
}

/** The variables with keys and addresses of the providers that the models need. */
function keysOf(models: readonly string[], {providerSettings}: SessionSettings): Readonly<Record<string, string>> {
  const entries = models.flatMap((model) => entryOf(model.split('/', 1)[0] ?? '', providerSettings) ?? []);
  const names = entries.flatMap(({keyVariable, baseUrlVariable}) => [keyVariable, baseUrlVariable]);
  for (const entry of entries) authOf(entry, providerSettings); // from now on the key is redacted in all output
  const found = names.flatMap((name) => {
    const value = name === undefined ? undefined : providerSettings.env[name];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** The servers of the models. A local one is also asked for what is not below the path of its API, such as the window of a model. */
function upstreamsOf(models: readonly string[], {providerSettings}: SessionSettings): readonly ModelUpstream[] {
  return models.flatMap((model) => {
    const entry = entryOf(model.split('/', 1)[0] ?? '', providerSettings);
    if (entry === undefined || !URL.canParse(entry.baseUrl)) return [];
    const {header, key, keyVariable} = authOf(entry, providerSettings);
    const baseUrl = entry.isLocal === true ? new URL('/', entry.baseUrl).href : completeBaseUrl(entry.baseUrl, entry.format);
    return [{baseUrl, header, key, keyVariable, headers: entry.headers ?? {}}];
  });
}

/** The providers of the person. Nothing else of their settings reaches a rollout: scores would depend on it. */
function agentSettings({settings}: SessionSettings): JsonObject {
  const {providers, custom_providers: custom, provider_limits: limits} = settings;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- settings are JSON, as they were read
  return JSON.parse(JSON.stringify({providers, custom_providers: custom, provider_limits: limits})) as JsonObject;
}
