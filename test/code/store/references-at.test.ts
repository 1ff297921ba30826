import {describe, expect, it} from 'vitest';
import type {PlaceReferences, References} from '../../../src/code/code-graph.ts';
import type {Relation} from '../../../src/code/relation.ts';
import {indexed, signal} from '../edits/support.ts';

const TYPES = `export interface Stack { kind: 'stack'; size: number }
export interface Tab { kind: 'tab'; size: number }
export type Router = Stack | Tab;
`;
const USE = `import type {Router, Stack} from './types.ts';
/** @param router Where it goes.
 *  @param {number} [by] How far. */
export function go(router: Router, by: number): number {
  const {size} = router;
  if (router.kind === 'stack') return router.size + by;
  return size + rest({by}) + router.size;
}
function rest(options: {by: number}) {
  const own = {by: 1};
  return options.by + own.by;
}
export const first: Stack = {kind: 'stack', size: 1};
`;

describe('what a use may mean (issue 6: "definitions and references agree with the TypeScript compiler API")', {timeout: 60_000}, () => {
  it('a member of a union: each alternative that has it, which the references of one name as well', async () => {
    const {graph, symbol} = await indexed({'types.ts': TYPES, 'use.ts': USE});
    const stack = await graph.references((await symbol('Stack.size')).id, {limit: 20}, signal);
    const tab = await graph.references((await symbol('Tab.size')).id, {limit: 20}, signal);
    expect([said(stack), said(tab)]).toEqual([
      ['types.ts:1:41', 'use.ts:5:10 or Tab.size', 'use.ts:6:46', 'use.ts:7:37 or Tab.size', 'use.ts:13:45'],
      ['types.ts:2:37', 'use.ts:5:10 or Stack.size', 'use.ts:7:37 or Stack.size'],
    ]);
    const {outgoing} = await graph.graph((await symbol('go')).id, {kind: 'reference', limit: 20}, signal);
    expect(outgoing.map(({target, range}) => `${range.start.line + 1} ${target?.qualifiedName ?? '?'}`)).toEqual([
      '5 Stack.size',
      '5 Tab.size',
      '6 Stack.kind',
      '6 Tab.kind',
      '6 Stack.size',
      '7 rest.#1.by',
      '7 Stack.size',
      '7 Tab.size',
    ]);
  });

  it.each<[string, string, {names: readonly string[]; places: readonly string[]}]>([
    [
      'a member of a union',
      'use.ts:7:37',
      {
        names: ['Stack.size', 'Tab.size'],
        places: ['types.ts:1:41', 'types.ts:2:37', 'use.ts:5:10', 'use.ts:6:46', 'use.ts:7:37', 'use.ts:13:45'],
      },
    ],
    [
      'a member that is taken out under its name, and the variable',
      'use.ts:5:10',
      {
        names: ['Stack.size', 'Tab.size'],
        places: ['types.ts:1:41', 'types.ts:2:37', 'use.ts:5:10', 'use.ts:6:46', 'use.ts:7:37', 'use.ts:13:45', 'use.ts:7:10'],
      },
    ],
    [
      'a local variable, and what its function says of it',
      'use.ts:6:53',
      {names: [], places: ['use.ts:3:22', 'use.ts:4:36', 'use.ts:6:53', 'use.ts:7:23']},
    ],
    ['a member that no symbol is', 'use.ts:11:27', {names: [], places: ['use.ts:10:16', 'use.ts:11:27']}],
    ['a type', 'use.ts:13:21', {names: ['Stack'], places: ['types.ts:1:18', 'types.ts:3:22', 'use.ts:1:22', 'use.ts:13:21']}],
  ])('%s', async (_, place, expected) => {
    const {graph} = await indexed({'types.ts': TYPES, 'use.ts': USE});
    const [path = '', line, column] = place.split(':');
    const position = {line: Number(line) - 1, character: Number(column) - 1};
    const found = await graph.referencesAt({path, position}, {limit: 20}, signal);
    expect({names: found.symbols.map(({qualifiedName}) => qualifiedName), places: found.places.map(placeOf)}).toEqual(expected);
  });

  it('a member of a class, and of the interface that is one type with it: those that it overrides, and that override it', async () => {
    const text =
      'class Base { open() {} }\ninterface Box { open(): void }\nclass Box extends Base {}\nclass Inner extends Box { open() {} }\nnew Box().open();\n';
    const {graph, symbol} = await indexed({'a.ts': text});
    const inner = (await graph.references((await symbol('Inner.open')).id, {limit: 9}, signal)).places.map(placeOf);
    const box = (await graph.references((await symbol('Box.open')).id, {limit: 9}, signal)).places.map(placeOf);
    expect([inner, box]).toEqual([
      ['a.ts:4:27', 'a.ts:2:17', 'a.ts:1:14', 'a.ts:5:11'],
      ['a.ts:2:17', 'a.ts:1:14', 'a.ts:4:27', 'a.ts:5:11'],
    ]);
  });

  it('a function, and a namespace of types with its name: behind each its own uses', async () => {
    const text =
      'export function make(): make.Value { return 1; }\nexport declare namespace make { type Value = number; }\nexport let a: make.Value = make();\nexport const b = make;\n';
    const {graph} = await indexed({'a.ts': text});
    const found = async (line: number, character: number): Promise<readonly string[]> =>
      (await graph.referencesAt({path: 'a.ts', position: {line, character}}, {limit: 9}, signal)).places.map(placeOf);
    const [value, space] = [
      ['a.ts:1:17', 'a.ts:3:28', 'a.ts:4:18'],
      ['a.ts:2:26', 'a.ts:1:25', 'a.ts:3:15'],
    ];
    expect([await found(2, 27), await found(3, 17), await found(0, 16), await found(0, 24), await found(1, 25)]).toEqual([
      value,
      value,
      value,
      space,
      space,
    ]);
  });

  it('the name of an import of a whole module is one of this file; no name is nothing', async () => {
    const {graph} = await indexed({'a.ts': 'export const b = 1;\n', 'c.ts': "import * as a from './a.ts';\nexport const d = a.b + a.b;\n"});
    const found = async (line: number, character: number): Promise<readonly string[]> =>
      (await graph.referencesAt({path: 'c.ts', position: {line, character}}, {limit: 3}, signal)).places.map(placeOf);
    expect([await found(1, 17), await found(1, 15)]).toEqual([['c.ts:1:13', 'c.ts:2:18', 'c.ts:2:24'], []]);
  });
});

describe('definitions of the name of a module (issue 6: "definitions agree with the TypeScript compiler API")', {timeout: 60_000}, () => {
  it('where another file gives it that name the module, else its import', async () => {
    const {graph} = await indexed({
      'shapes.ts': '// Shapes.\nexport interface Point {}\n',
      'all.ts': "export * as shapes from './shapes.ts';\n",
      'use.ts': "import {shapes} from './all.ts';\nimport * as own from './shapes.ts';\nexport let a: shapes.Point, b: own.Point;\n",
    });
    const found = async (character: number): Promise<readonly string[]> =>
      (await graph.definitionAt('use.ts', {line: 2, character}, signal)).map(
        ({path, range: {start}}) => `${path}:${start.line + 1}:${start.character + 1}`,
      );
    expect([await found(14), await found(21), await found(31)]).toEqual([['shapes.ts:2:1'], ['shapes.ts:2:18'], []]);
  });
});

function said({places}: References | PlaceReferences): string[] {
  return places.map((place) => [placeOf(place), ...(place.others ?? []).map(({qualifiedName}) => `or ${qualifiedName}`)].join(' '));
}

function placeOf({path, range: {start}}: Relation): string {
  return `${path}:${start.line + 1}:${start.character + 1}`;
}
