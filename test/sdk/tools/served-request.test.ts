import {describe, expect, it} from 'vitest';
import {servedRequest} from '../../../src/sdk/tools/served-request.ts';

const server = {name: 'files', transport: 'stdio', command: 'x', disabled_tools: ['move file', 'rm']} as const;
const settings = (more: object = {}) => ({mcp_servers: [server], enabled_tools: [], disabled_tools: [], ...more});

describe('servedRequest', () => {
  it('judges a tool of a server by its name, its server and how that is reached', () => {
    expect(servedRequest('mcp__files__read', settings())).toEqual({
      toolNames: ['mcp__files__read', 'mcp__files'],
      sideEffect: 'execute',
      subjects: [],
    });
    expect(servedRequest('read', settings())).toBeUndefined();
  });

  it.each([
    [{disabled_tools: ['mcp_*']}, 'mcp__files__read', 'mcp__files__read is switched off: disabled_tools has "mcp_*".'],
    [{enabled_tools: ['read']}, 'mcp__files__read', 'mcp__files__read is switched off: enabled_tools does not name it.'],
    [{}, 'mcp__files__rm', 'mcp__files__rm is switched off: disabled_tools of the server files has "rm".'],
    [{}, 'mcp__files__move_file', 'mcp__files__move_file is switched off: disabled_tools of the server files has "move file".'],
  ])('denies what is switched off, as the dispatcher does (vibe tool system › Tool Enable/Disable Patterns): %j', (more, tool, message) => {
    expect(() => servedRequest(tool, settings(more))).toThrow(message);
  });

  it('tells of a server that is not there, or disabled', () => {
    expect(() => servedRequest('mcp__other__x', settings())).toThrow('mcp__other__x is not a tool of a configured MCP server.');
    expect(() => servedRequest('mcp__files__x', settings({mcp_servers: [{...server, disabled: true}]}))).toThrow('is disabled');
  });
});
