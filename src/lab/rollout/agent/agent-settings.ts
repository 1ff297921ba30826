import type {JsonObject} from '../../../base/json.ts';
import {isJsonObject} from '../../../base/json.ts';
import type {TaskStep} from '../../suite/task.ts';
import type {RolloutRequest} from '../rollout-request.ts';

/** The settings of the agent in one rollout: those of the caller, with what the task and the lab decide. */
export function agentSettings(
  {agent: {settings}, task, isolation}: Pick<RolloutRequest, 'agent' | 'task' | 'isolation'>,
  {temperature}: Pick<TaskStep, 'temperature'>,
): JsonObject {
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
    ...(temperature === undefined ? {} : {temperature}),
    // Nobody undoes a rollout.
    checkpoints: {...below('checkpoints'), keep: 'off'},
    environment: {...environment, set: {...(isJsonObject(environment['set']) ? environment['set'] : {}), ...place.env}},
    sandbox: {
      ...below('sandbox'),
      ...networkOf(place.network, isolation),
      ...(place.kind === 'root' ? {writable: [...(place.workdir === '/app' ? [] : ['/app']), '/logs']} : {}),
    },
    ...(servers.length === 0
      ? {}
      : {
          mcp_servers: servers,
          permissions: {...permissions, allow: [...listOf(permissions['allow']), ...servers.map(({name}) => `mcp__${name}__*`)]},
        }),
  };
}

/** Commands reach the public internet by proxies, and nothing of this machine or its local network, where the isolation can do that. */
function networkOf(hasNetwork: boolean, isolation: RolloutRequest['isolation']): JsonObject {
  if (!hasNetwork || isolation?.openNetwork === undefined) return {network: hasNetwork};
  return {network: false, allowed_domains: ['*']};
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
