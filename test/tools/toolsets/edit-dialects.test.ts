import {describe, expect, it} from 'vitest';
import {advertisedTools} from '../../../src/tools/toolsets/advertised-tools.ts';
import {withEditDialect, type OfferedDialect} from '../../../src/tools/toolsets/edit-dialects.ts';
import {loadToolsetByName} from '../../../src/tools/toolsets/load-toolset.ts';
import {selectTools} from '../../../src/tools/toolsets/select-tools.ts';
import type {Toolset} from '../../../src/tools/toolset.ts';

const DIALECTS: readonly OfferedDialect[] = ['exact', 'blocks', 'patch'];

async function selected(name: string, disabled: readonly string[] = [], enabled: readonly string[] = []): Promise<Toolset> {
  return selectTools(await loadToolsetByName(name), {enabled_tools: enabled, disabled_tools: disabled});
}

function shownEdits(toolset: Toolset | undefined): readonly string[] | undefined {
  if (toolset === undefined) return undefined;
  const shown = advertisedTools(toolset, {model: 'a/b', compositeTools: false, hasPerson: false});
  return shown.filter(({permission}) => permission === 'edit').map(({name}) => name);
}

describe('withEditDialect', () => {
  it.each([
    ['fettle', ['edit', 'search_replace', 'apply_patch']],
    ['small', ['edit', 'search_replace', 'apply_patch']],
    ['microcode', ['edit', 'search_replace', 'apply_patch']],
    ['vtcode', ['edit_file', 'search_replace', 'apply_patch']],
    ['vibe', ['edit', 'search_replace', 'apply_patch']],
  ])('shows %s with one edit tool of each dialect', async (name, tools) => {
    const toolset = await selected(name);
    const offered = await Promise.all(DIALECTS.map(async (dialect) => shownEdits(await withEditDialect(toolset, dialect))));
    expect(offered).toEqual(tools.map((tool) => [tool]));
  });

  it('leaves the other tools as they are, each in its place, and the hidden ones can be called', async () => {
    const toolset = await selected('fettle');
    const offered = await withEditDialect(toolset, 'patch');
    const names = offered?.tools.map(({name}) => name);
    expect(names).toEqual(toolset.tools.flatMap(({name}) => (name === 'edit' ? ['apply_patch', 'edit'] : [name])));
    expect(offered?.tools.find(({name}) => name === 'edit')?.audience).toBe('nobody');
    expect(offered?.tools.find(({name}) => name === 'write')?.description).toBe(
      'Create a file or replace all of it. To change a part, use apply_patch.',
    );
    const outside = (await selected('vtcode')).tools.find(({name}) => name === 'edit_file')?.pathScope;
    const borrowed = (await withEditDialect(await selected('vtcode'), 'patch'))?.tools.find(({name}) => name === 'apply_patch');
    expect([outside, borrowed?.pathScope, offered?.tools.find(({name}) => name === 'apply_patch')?.pathScope]).toEqual([
      'inside',
      'inside',
      undefined,
    ]);
  });

  it.each([
    ['its tool is switched off', ['apply_patch'], [], 'patch'],
    ['its tool is switched off by a pattern', ['*patch*'], [], 'patch'],
    ['its family is switched off', ['edit'], [], 'patch'],
    ['its family is switched off under the name of another agent', ['str_replace'], [], 'blocks'],
    ['it is not among the enabled tools', [], ['read', 'edit'], 'patch'],
    ['there is no edit tool', [], ['read', 'apply_patch'], 'patch'],
  ] as const)('offers nothing where %s', async (_, disabled, enabled, dialect) => {
    expect(await withEditDialect(await selected('fettle', disabled, enabled), dialect)).toBeUndefined();
  });
});
