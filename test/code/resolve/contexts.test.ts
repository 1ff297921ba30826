import {describe, expect, it} from 'vitest';
import {indexed} from '../edits/support.ts';
import {indexFiles, meanings} from '../index-files.ts';

const {signal} = new AbortController();

const TYPES = `
export interface Options { port: number; onClose: (reason: Reason) => void; inner: Options }
export interface Reason { code: number }
export function listen(options: Options): Reason { return {code: 1}; }
export class Server { constructor(options: Options) {} get reason(): Reason { return {code: 2}; } }
`;

describe('keys mean the members of the type that their place asks for (issue 6, "definitions and references agree with the TypeScript compiler API")', () => {
  it('of an argument, a variable, a constructor, within each other, behind `return`, `satisfies` and `=`', async () => {
    const index = await indexFiles({
      'types.ts': TYPES,
      'use.ts': `import {listen, Server, type Options} from './types.ts';
listen({port: 1});
export const all: Options = {inner: {port: 2}};
new Server({port: 3});
function make(): Options { return {port: 4}; }
const some = {port: 5} satisfies Partial<Options>;
const free = {port: 6};
`,
    });
    expect(meanings(index).filter((line) => /reference (?:port|inner)/.test(line))).toEqual([
      'use.ts:2 reference port -> types.ts::Options.port#property',
      'use.ts:3 reference inner -> types.ts::Options.inner#property',
      'use.ts:3 reference port -> types.ts::Options.port#property',
      'use.ts:4 reference port -> types.ts::Options.port#property',
      'use.ts:5 reference port -> types.ts::Options.port#property',
      'use.ts:6 reference port -> types.ts::Options.port#property',
    ]);
  });

  it('of a pattern: of a parameter, a variable, `this`; parameters of functions that are handed over; a getter', async () => {
    const index = await indexFiles({
      'types.ts': TYPES,
      'use.ts': `import {listen, Server, type Options} from './types.ts';
function a({port}: Options) {}
function b(o: Options) { const {inner: {port}} = o; }
listen({onClose: (reason) => reason.code});
const options: Options = {onClose({code}) {}};
new Server(options).reason.code;
function c(this: Options) { return this.port; }
`,
    });
    expect(meanings(index).filter((line) => /reference (?:port|inner|code)/.test(line))).toEqual([
      'use.ts:2 reference port -> types.ts::Options.port#property',
      'use.ts:3 reference inner -> types.ts::Options.inner#property',
      'use.ts:3 reference port -> types.ts::Options.port#property',
      'use.ts:4 reference code -> types.ts::Reason.code#property',
      'use.ts:5 reference code -> types.ts::Reason.code#property',
      'use.ts:6 reference code -> types.ts::Reason.code#property',
      'use.ts:7 reference port -> types.ts::Options.port#property',
    ]);
  });

  it('a name with `$` behind a dot is that name, and what a namespace exports is its member', async () => {
    const index = await indexFiles({
      'core.ts': 'export interface $Type { a: 1 }\nexport interface Type { a: 1 }\n',
      'names.ts': 'export namespace Names { export const one = 1; }\n',
      'use.ts':
        "import * as core from './core.ts';\nimport {Names} from './names.ts';\nexport type T = core.$Type;\nexport const n = Names.one;\n",
    });
    expect(meanings(index).filter((line) => /(?:Type|one) ->/.test(line))).toEqual([
      'use.ts:3 uses_type $Type -> core.ts::$Type#interface',
      'use.ts:4 reference one -> names.ts::Names.one#constant',
    ]);
  });
});

describe('definitions that have no symbol (issue 6, "definitions and references agree with the TypeScript compiler API")', () => {
  it.each([
    ['a member of the literal type of a parameter', 'function f(o: {a: 1}) { return o.|a; }', '0:15'],
    ['a member of a local object', 'function f() { const o = {b: {c: 1}}; o.b.|c; }', '0:30'],
    ['the key of an object whose type has no name', 'function f() { const o: Record<string, {d: 1}> = {x: {|d: 1}}; }', '0:40'],
    ['the key of an object of no type', 'function f() { return {|e: 1}; }', '0:23'],
    ['the key of an object that any function takes', 'function f() { return JSON.stringify({|e: 1}); }', '0:38'],
    ['the key of a record', 'function f() { const o: Record<string, number> = {|e: 1}; }', '0:50'],
    ['the key of an object that a list is mapped to', 'function f(o) { return o.map(() => ({|e: 1})); }', '0:37'],
    ['a label', 'outer: for (;;) { break |outer; }', '0:0'],
    // What the compiler would find in a type, and nobody knows here, is not said to stand where it is used.
    ['nothing: a local name that a pattern takes out of what is not known', 'function f(x) { const {|y} = x; }', undefined],
    ['nothing: the key of an object that an unknown function takes', 'function f() { return g({|e: 1}); }', undefined],
    ['nothing: the key of an object of an unknown type', 'export const o: Unknown = {|e: 1};', undefined],
  ])('%s', async (_name, marked, place) => {
    const at = {line: 0, character: marked.indexOf('|')};
    const {graph} = await indexed({'a.ts': marked.replace('|', '')});
    const found = await graph.definitionAt('a.ts', at, signal);
    expect(found.map(({range: {start}}) => `${start.line}:${start.character}`)).toEqual(place === undefined ? [] : [place]);
  });

  it('of a type and a value of one name, references are those of the one that is meant', async () => {
    const {graph} = await indexed({'a.ts': 'interface A {}\nconst A = 1;\nlet t: A;\nlet v = A;\n'});
    const places = async (id: string, merged: boolean): Promise<number[]> =>
      (await graph.references(id, {limit: 10, merged}, signal)).places.map(({range}) => range.start.line);
    expect([
      await places('a.ts::A#interface', false),
      await places('a.ts::A#constant', false),
      await places('a.ts::A#constant', true),
    ]).toEqual([
      [0, 2],
      [1, 3],
      [0, 1, 2, 3],
    ]);
  });
});
