import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {publishedNames} from '../../../src/mcp/tools/tool-names.ts';

describe('publishedNames', () => {
  it('keeps a name that is safe, and marks one that was changed and is then not alone', () => {
    expect([...publishedNames('gh', ['list_issues', 'a b', 'a_b'])]).toEqual([
      ['list_issues', 'mcp__gh__list_issues'],
      ['a b', 'mcp__gh__a_b_c8687a08'],
      ['a_b', 'mcp__gh__a_b_648fa9b3'],
    ]);
  });

  it('gives every list safe, short and distinct names that do not depend on its order (MCP 2026-07-28 › tools › names)', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({maxLength: 130, unit: 'binary'}), {maxLength: 20}), (tools) => {
        const names = publishedNames('server', tools);
        const published = [...names.values()];
        expect(new Set(published.map((name) => name.toLowerCase())).size).toBe(tools.length);
        for (const name of published) expect(name).toMatch(/^mcp__server__[\w-]{0,51}$/);
        expect(new Map([...publishedNames('server', tools.toReversed())].toReversed())).toEqual(names);
      }),
    );
  });
});
