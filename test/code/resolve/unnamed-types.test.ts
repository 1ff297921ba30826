import {describe, expect, it} from 'vitest';
import type {OutlineNode} from '../../../src/code/code-graph.ts';
import {indexed} from '../edits/support.ts';
import {indexFiles, meanings} from '../index-files.ts';

const {signal} = new AbortController();

const TYPES = `export interface Log { write(): void }
export async function read(path: string, given: {maxBytes: number; deep: {log: Log}}): Promise<{text: string; log: Log}> { throw path; }
export interface Found { rows: readonly {line: number; log: Log}[] }
export function both(given: {one: Log}): void;
export function both(given: {two: Log}): void;
export function both(): void {}
`;

describe('types of objects without a name (issue 6, "definitions and references agree with the TypeScript compiler API")', () => {
  it('have members that other files name: of a parameter, of a result, of a list', async () => {
    const index = await indexFiles({
      'types.ts': TYPES,
      'use.ts': `import {read, both, type Found} from './types.ts';
export async function use(found: Found): Promise<void> {
  const {text, log} = await read('a', {maxBytes: 1, deep: {log: x}});
  (await read('a', y)).log.write();
  for (const {line} of found.rows) line;
  found.rows[0].log.write();
  both({two: x});
}
`,
    });
    expect(
      meanings(index).filter((line) => line.startsWith('use.ts:') && !line.includes(' import ') && !/ (?:read|both|Found) ->/.test(line)),
    ).toMatchInlineSnapshot(`
      [
        "use.ts:2 uses_type Promise -> ?",
        "use.ts:3 reference text -> types.ts::read.#2.text#property",
        "use.ts:3 reference log -> types.ts::read.#2.log#property",
        "use.ts:3 reference maxBytes -> types.ts::read.#1.maxBytes#property",
        "use.ts:3 reference deep -> types.ts::read.#1.deep#property",
        "use.ts:3 reference log -> types.ts::read.#1.deep.log#property",
        "use.ts:3 reference x -> ?",
        "use.ts:4 reference y -> ?",
        "use.ts:4 reference log -> types.ts::read.#2.log#property",
        "use.ts:4 call write -> types.ts::Log.write#method",
        "use.ts:5 reference line -> types.ts::Found.rows.#1.line#property",
        "use.ts:5 reference rows -> types.ts::Found.rows#property",
        "use.ts:6 reference rows -> types.ts::Found.rows#property",
        "use.ts:6 reference log -> types.ts::Found.rows.#1.log#property",
        "use.ts:6 call write -> types.ts::Log.write#method",
        "use.ts:7 reference x -> ?",
      ]
    `);
  });

  it('are in no outline and no search, and use what they name as what they are in; their members have references', async () => {
    const {graph} = await indexed({
      'types.ts': TYPES,
      'use.ts': "import {read} from './types.ts';\nawait read('a', {maxBytes: 1});\n",
    });
    const names = (nodes: readonly OutlineNode[]): string[] =>
      nodes.flatMap(({symbol, children}) => [symbol.qualifiedName, ...names(children)]);
    expect(names(await graph.outline('types.ts', signal))).toEqual([
      'Log',
      'Log.write',
      'read',
      'Found',
      'Found.rows',
      'both',
      'both',
      'both',
    ]);
    expect((await graph.search({text: 'maxBytes', limit: 5}, signal)).symbols).toEqual([]);
    const users = await graph.graph('types.ts::Log#interface', {kind: 'uses_type', limit: 20}, signal);
    expect(users.incoming.map(({source}) => source?.qualifiedName)).toEqual(['read', 'read', 'Found.rows', 'both', 'both']);
    const [definition] = await graph.definitionAt('use.ts', {line: 1, character: 18}, signal);
    const found = await graph.references(definition?.symbol?.id ?? '', {limit: 20}, signal);
    expect(found.places.map(({path, range}) => `${path}:${range.start.line}:${range.start.character}`)).toEqual([
      'types.ts:1:49',
      'use.ts:1:17',
    ]);
  });
});

describe('names that are a type and a value (issue 6, "definitions and references agree with the TypeScript compiler API")', () => {
  it('have the members of the value in a chain of values, and of the type it is declared with', async () => {
    const index = await indexFiles({
      'shape.ts': `export interface Maker<T> { make(of: T): T; readonly kind: string }
export interface Shape { size: number; of: Shape }
export const Shape = {of: (size: number) => size, size: 'text'};
export interface Round { size: number }
export const Round: Maker<Round> = make();
`,
      'use.ts': `import {Shape, Round} from './shape.ts';
import * as all from './shape.ts';
Shape.of(1);
Shape.size;
Round.make(x).size;
all.Round.kind;
all.Shape.of(2);
const one: Shape = {size: 1, of: x};
`,
    });
    expect(meanings(index).filter((line) => / (?:of|size|make|kind) ->/.test(line))).toMatchInlineSnapshot(`
      [
        "shape.ts:5 call make -> ?",
        "use.ts:3 call of -> shape.ts::Shape.of#method",
        "use.ts:4 reference size -> shape.ts::Shape.size#property~2",
        "use.ts:5 call make -> shape.ts::Maker.make#method",
        "use.ts:5 reference size -> shape.ts::Round.size#property",
        "use.ts:6 reference kind -> shape.ts::Maker.kind#property",
        "use.ts:7 call of -> shape.ts::Shape.of#method",
        "use.ts:8 reference size -> shape.ts::Shape.size#property",
        "use.ts:8 reference of -> shape.ts::Shape.of#property",
      ]
    `);
  });
});

describe('keys that declare themselves (issue 6, "precision ≥ 98 %")', () => {
  it('of a record, an unbounded parameter, a type with any key; not where another argument decides, or nothing is known', async () => {
    const {graph} = await indexed({
      'types.ts': `export type Bag = {[key: string]: number};
export interface Words extends Bag {}
export type Some = Words | Record<'a', number>;
export function any<T>(value: T): T { return value; }
export function like<T>(value: T, other: T): void {}
export function told<T extends Outside>(value: T): void {}
export interface Named { name: string }
export function set<T>(of: object, value: Partial<T>): void {}
`,
      'node_modules/elsewhere/index.d.ts': '',
      'use.ts': `import {any, like, told, set, type Bag, type Words, type Some, type Named} from './types.ts';
import type {Other} from 'elsewhere';
export const bag: Bag = {one: 1};
export const words: Readonly<Words> = {one: 1};
export const some: Some = {one: 1};
any({one: 1});
export const other: Other = {one: 1};
like(x, {one: 1});
told({one: 1});
set<Named>(x, {name: 'a', one: 1});
export const {one} = unknown();
`,
    });
    const at = async (line: number, character: number): Promise<string> => {
      const found = await graph.definitionAt('use.ts', {line, character}, signal);
      return found.map(({path, range: {start}}) => `${path}:${start.line}:${start.character}`).join(' ');
    };
    expect({
      bag: await at(2, 25),
      words: await at(3, 39),
      some: await at(4, 27),
      any: await at(5, 5),
      other: await at(6, 29),
      like: await at(7, 9),
      told: await at(8, 6),
      given: await at(9, 15),
      pattern: await at(10, 14),
    }).toEqual({
      bag: 'use.ts:2:25',
      words: 'use.ts:3:39',
      some: 'use.ts:4:27',
      any: 'use.ts:5:5',
      other: '',
      like: '',
      told: '',
      given: 'types.ts:6:25',
      pattern: '',
    });
  });
});
