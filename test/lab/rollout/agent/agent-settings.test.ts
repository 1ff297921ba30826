import {describe, expect, it} from 'vitest';
import {agentSettings} from '../../../../src/lab/rollout/agent/agent-settings.ts';
import type {RolloutRequest} from '../../../../src/lab/rollout/rollout-request.ts';

function settingsFor(
  place: object,
  settings: object,
  {isolation = {}, temperature}: {isolation?: object; temperature?: number} = {},
): unknown {
  const task = {place: {kind: 'folder', workdir: '.', env: {}, copies: [], network: false, mcpServers: [], ...place}};
  const request = {agent: {settings}, task, isolation} as unknown as Pick<RolloutRequest, 'agent' | 'task' | 'isolation'>;
  return agentSettings(request, {temperature});
}

describe('the settings of an agent in a rollout', () => {
  it('are those of the caller, without checkpoints, and with the network that the task has', () => {
    expect(settingsFor({}, {provider_limits: {retries: 1}, checkpoints: {keep: 'on', max_mb: 5}, sandbox: {network: true}})).toEqual({
      provider_limits: {retries: 1},
      checkpoints: {keep: 'off', max_mb: 5},
      environment: {set: {}},
      sandbox: {network: false},
    });
  });

  it('have the temperature of the step', () => {
    expect([settingsFor({}, {temperature: 1}, {temperature: 0}), settingsFor({}, {})]).toEqual([
      expect.objectContaining({temperature: 0}),
      expect.not.objectContaining({temperature: expect.anything()}),
    ]);
  });

  it('let commands reach the public internet alone, where the isolation can do that', () => {
    const openNetwork = (): void => undefined;
    expect([settingsFor({network: true}, {}, {isolation: {openNetwork}}), settingsFor({}, {}, {isolation: {openNetwork}})]).toMatchObject([
      {sandbox: {network: false, allowed_domains: ['*']}},
      {sandbox: {network: false}},
    ]);
  });

  it('let commands write all of /app, also where they work in a folder of it (Harbor)', () => {
    expect(settingsFor({kind: 'root', workdir: '/app/src'}, {})).toMatchObject({sandbox: {writable: ['/app', '/logs']}});
  });

  it("have the variables and MCP servers of the task instead of the person's", () => {
    const mcpServers = [
      {name: 'a', transport: 'stdio', command: 'a', args: ['-x']},
      {name: 'b', transport: 'sse', url: 'http://127.0.0.1:1/b'},
    ];
    const own = {
      environment: {pass: ['P'], set: {A: '1', B: '1'}},
      permissions: {allow: ['bash:x'], deny: ['read']},
      mcp_servers: [{name: 'mine'}],
    };
    expect(settingsFor({kind: 'root', workdir: '/app', env: {B: '2'}, mcpServers, network: true}, own)).toEqual({
      checkpoints: {keep: 'off'},
      environment: {pass: ['P'], set: {A: '1', B: '2'}},
      sandbox: {network: true, writable: ['/logs']},
      mcp_servers: [
        {name: 'a', transport: 'stdio', command: 'a', args: ['-x']},
        {name: 'b', transport: 'http', url: 'http://127.0.0.1:1/b'},
      ],
      permissions: {allow: ['bash:x', 'mcp__a__*', 'mcp__b__*'], deny: ['read']},
    });
  });
});
