import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {namePattern} from '../../src/base/name-pattern.ts';

describe('namePattern (vibe tool system › Tool Enable/Disable Patterns)', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['bash', ['bash', 'BASH'], ['bash2', 'my_bash']],
    ['mcp_*', ['mcp_', 'mcp__a__b'], ['xmcp_a', 'mcp']],
    ['*_file', ['read_file'], ['read_files']],
    ['gr?p', ['grep'], ['grp', 'greep']],
    ['a.b', ['a.b'], ['axb']],
    ['re:^serena_.*', ['serena_x', 'Serena_'], ['my_serena_x']],
    ['re:read|write', ['read', 'write'], ['read_file', 'rewrite']],
  ])('%s', (pattern, fitting, others) => {
    const fits = namePattern(pattern);
    expect([fitting.filter((name) => fits?.(name) !== true), others.filter((name) => fits?.(name) !== false)]).toEqual([[], []]);
  });

  it('gives nothing for an expression that cannot be read', () => {
    expect(['re:(', 're:[', 're:a{2,1}'].map(namePattern)).toEqual([undefined, undefined, undefined]);
  });

  it('a name fits itself, and any text without `re:` can be read', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z][a-z0-9_.-]{0,30}$/), (name) => namePattern(name)?.(name) === true));
    fc.assert(fc.property(fc.string(), (text) => text.startsWith('re:') || namePattern(text) !== undefined));
  });
});
