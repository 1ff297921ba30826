import {describe, expect, it} from 'vitest';
import {createDispatcher} from '../../../src/tools/dispatch/dispatcher.ts';
import {toolSchemas} from '../../../src/tools/arguments/schema.ts';
import {selectTools, type ToolSelection} from '../../../src/tools/toolsets/select-tools.ts';
import {fakeOptions, fakeTool, fakeToolset, toolCall} from '../support/fake-toolset.ts';

const toolset = fakeToolset(['read', 'bash', 'mcp__a__x', 'word_count'].map((name) => fakeTool(name, 'read', () => name)));
const select = (selection: Partial<ToolSelection>) => selectTools(toolset, {enabled_tools: [], disabled_tools: [], ...selection});
const names = (selection: Partial<ToolSelection>) => toolSchemas(select(selection)).map(({name}) => name);

describe('selectTools (vibe tool system › Tool Enable/Disable Patterns)', () => {
  it('without patterns it is the toolset itself', () => {
    expect(select({})).toBe(toolset);
  });

  it('alike for built-in tools, those of servers and of users; nothing that is switched off is advertised', () => {
    expect(names({disabled_tools: ['mcp_*', 'WORD_count']})).toEqual(['read', 'bash']);
    expect(names({enabled_tools: ['re:mcp__.*', 'read']})).toEqual(['read', 'mcp__a__x']);
    expect(names({enabled_tools: ['nothing']})).toEqual([]);
  });

  it('enabled_tools beats disabled_tools: "Blacklist (ignored if enabled_tools set)"', () => {
    expect(names({enabled_tools: ['bash', 'read'], disabled_tools: ['bash']})).toEqual(['read', 'bash']);
  });

  it.each<[string, Partial<ToolSelection>, string, string]>([
    ['by its name', {disabled_tools: ['ba*']}, 'bash', 'bash is switched off: disabled_tools has "ba*".'],
    ['by what other agents call it', {disabled_tools: ['bash']}, 'run_shell_command', 'bash is switched off: disabled_tools has "bash".'],
    ['of a server', {enabled_tools: ['read']}, 'mcp__a__x', 'mcp__a__x is switched off: enabled_tools does not name it.'],
  ])('a call of what is switched off is told why: %s', async (_, selection, name, message) => {
    const chosen = select(selection);
    const result = await createDispatcher({...fakeOptions([]), toolset: chosen}).dispatch(
      toolCall(name, 'x'),
      new AbortController().signal,
    );
    expect([result.outcome, result.text]).toEqual([
      'denied',
      `DENIED: ${message}\nTools: ${chosen.tools.map((tool) => tool.name).join(', ')}.`,
    ]);
  });

  it('keeps the reason when it selects a second time, with the tools of servers', () => {
    const selection = {enabled_tools: [], disabled_tools: ['bash', 'mcp__*']};
    const first = selectTools({...toolset, tools: toolset.tools.slice(0, 2)}, selection);
    const second = selectTools({...first, tools: [...first.tools, ...toolset.tools.slice(2)]}, selection);
    expect([second.tools.map(({name}) => name), second.refusal?.('bash'), second.refusal?.('mcp__a__x')]).toEqual([
      ['read', 'word_count'],
      'bash is switched off: disabled_tools has "bash"',
      'mcp__a__x is switched off: disabled_tools has "mcp__*"',
    ]);
  });
});
