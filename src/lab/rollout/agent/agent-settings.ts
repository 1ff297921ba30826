import type {JsonObject} from '../../../base/json.ts';
import {isJsonObject} from '../../../base/json.ts';
import type {RolloutRequest} from '../rollout-request.ts';

/** The settings of the agent in one rollout: those of the caller, with what the task and the lab decide. */
export function agentSettings({agent: {settings}, task}: Pick<RolloutRequest, 'agent' | 'task'>): JsonObject {
  const {place} = task;
  const below = (name: string): JsonObject => (isJsonObject(settings[name]) ? settings[name] : {});
  const environment = below('environment');
  const permissions = below('permissions');
  const servers = place.mcpServers.map(({name, transport, command, args, url}) => ({
    name,
    transport: transport === 'stdio' ? 'stdio' : 'http',
    ...(command === undefined ? {} : {command}),
    ...(args === undefined ? {} : {args: [...args]}),
    ...(url === undefined ? {} : {url}),
  }));
  return {
    ...settings,
    // Nobody undoes a rollout.
    checkpoints: {...below('checkpoints'), keep: 'off'},
    environment: {...environment, set: {...(isJsonObject(environment['set']) ? environment['set'] : {}), ...place.env}},
    sandbox: {...below('sandbox'), network: place.network, ...(place.kind === 'root' ? {writable: ['/logs']} : {})},
    ...(servers.length === 0
      ? {}
      : {
          mcp_servers: servers,
          permissions: {...permissions, allow: [...listOf(permissions['allow']), ...servers.map(({name}) => `mcp__${name}__*`)]},
        }),
  };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
