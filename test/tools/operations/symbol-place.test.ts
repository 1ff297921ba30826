import {describe, expect, it} from 'vitest';
import {withIndex} from '../support/with-index.ts';

const FILES = {
  'types.ts': "export interface On { state: 'on' }\nexport interface Off { state: 'off' }\n",
  'use.ts':
    "import type {On, Off} from './types.ts';\nexport function show(now: On | Off): string {\n  const {state} = now;\n  return state + now.state;\n}\n",
};

describe('a place where something is named (zblade tool calls › symbol_references, by `path:line:column`)', {timeout: 60_000}, () => {
  it('tells each symbol that it may mean, and the places of all', async () => {
    const {text} = await withIndex('fettle', FILES);
    const lines = [
      "types.ts:1 property state: 'on' in On",
      "types.ts:2 property state: 'off' in Off",
      '  types.ts:1:23 reference',
      '  types.ts:2:24 reference',
      '  use.ts:3:10 reference in show',
      '  use.ts:4:22 reference in show',
    ];
    expect(await text('symbols', {action: 'references', symbol: 'use.ts:4:22'})).toBe(lines.join('\n'));
    expect(await text('symbols', {action: 'references', symbol: 'use.ts:4:18'})).toBe(
      '  use.ts:2:22 reference\n  use.ts:3:19 reference\n  use.ts:4:18 reference',
    );
  });

  it('is not a line: what stands around is not meant', async () => {
    const {text} = await withIndex('fettle', FILES);
    expect(await text('symbols', {action: 'show', symbol: 'use.ts:2:17'})).toMatch(/^use\.ts:2 function show/);
    expect([
      await text('symbols', {action: 'show', symbol: 'use.ts:4:18'}),
      await text('symbols', {action: 'references', symbol: 'use.ts:4:3'}),
      await text('symbols', {action: 'show', symbol: 'use.ts:4:22'}),
    ]).toMatchInlineSnapshot(`
      [
        "Error: The name at use.ts:4:18 is not a symbol: it is declared at use.ts:2:22.
      Ask for its references, or read that line.",
        "Error: Nothing is known about a name at use.ts:4:3.
      Without the column it means the symbol around the line.",
        "Error: 2 symbols have this name.
      Give the id of the one you mean: types.ts::On.state#property, types.ts::Off.state#property.",
      ]
    `);
  });
});
