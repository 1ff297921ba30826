import {describe, expect, it} from 'vitest';
import {advertisedTools, type AdvertisedTo} from '../../../src/tools/toolsets/advertised-tools.ts';
import {fakeTool, fakeToolset} from '../support/fake-toolset.ts';

const noop = (): string => '';
const toolset = fakeToolset([
  fakeTool('read', 'read', noop),
  fakeTool('ask', 'interact', noop),
  {...fakeTool('batch', 'read', noop), audience: 'composite'},
  {...fakeTool('alias', 'read', noop), audience: 'nobody'},
  {...fakeTool('skill', 'read', noop), requires: 'skills'},
]);
const shown = (over: Partial<AdvertisedTo>): string[] =>
  advertisedTools(toolset, {model: 'anthropic/claude-x', compositeTools: true, hasPerson: true, ...over}).map(({name}) => name);

describe('advertisedTools', () => {
  it('zblade tool calls › Composite Read-Only Tools: "gated by model family and the composite_tools_enabled feature flag"', () => {
    expect(shown({})).toEqual(['read', 'ask', 'batch']);
    expect(shown({compositeTools: false})).toEqual(['read', 'ask']);
    expect(shown({model: 'ollama/tiny'})).toEqual(['read', 'ask']);
  });

  it('a tool that needs something is shown where it is', () => {
    expect(shown({capabilities: new Set(['web_search'])})).toEqual(['read', 'ask', 'batch']);
    expect(shown({capabilities: new Set(['skills'])})).toEqual(['read', 'ask', 'batch', 'skill']);
  });

  it('without a person the tools that ask one are not shown', () => {
    expect(shown({hasPerson: false})).toEqual(['read', 'batch']);
  });
});
