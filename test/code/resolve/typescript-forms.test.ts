import {describe, expect, it} from 'vitest';
import {meaningInFile} from '../../../src/code/extract/places.ts';
import {openStoredIndex} from '../../../src/code/store/stored-index.ts';
import {definitionsAt} from '../../../src/code/store/definition-at.ts';
import {indexFiles, meanings} from '../index-files.ts';

const {signal} = new AbortController();

/** Where the text of one file itself says that the name behind `at` is declared: `line:character`, both from 1. */
async function declaredAt(text: string, at: string): Promise<string | undefined> {
  const meaning = await meaningInFile({language: 'typescript', text, signal}, positionOf(text, at));
  return meaning?.is === 'local' ? shown(meaning.declaration.start) : undefined;
}

/** Where an index says it is, of a name in one of its files; `text` where it leaves that to the text. */
async function definedAt(files: Readonly<Record<string, string>>, path: string, at: string): Promise<readonly string[] | 'text'> {
  const index = openStoredIndex(await indexFiles(files));
  try {
    const found = index.ask((queries) => definitionsAt(queries, queries.file(path), positionOf(files[path] ?? '', at)));
    return found?.map((one) => `${one.path}:${shown(one.range.start)}`) ?? 'text';
  } finally {
    index.close();
  }
}

function positionOf(text: string, at: string): {line: number; character: number} {
  const lines = text.slice(0, text.indexOf(at)).split('\n');
  return {line: lines.length - 1, character: lines.at(-1)?.length ?? 0};
}

function shown({line, character}: {readonly line: number; readonly character: number}): string {
  return `${line + 1}:${character + 1}`;
}

/** What the lines say of names that other files declare, imports left out. */
async function meant(files: Readonly<Record<string, string>>, path: string): Promise<string[]> {
  return meanings(await indexFiles(files)).filter((line) => line.startsWith(`${path}:`) && !/ (?:import|export) /.test(line));
}

describe('forms of TypeScript (issue 6, "definitions and references agree with the TypeScript compiler API")', () => {
  it('each object of a list that is `as const` declares its own keys', async () => {
    const text = "const list = [\n  {name: 'a', deep: [{kind: 1}]},\n  {name: 'b', deep: [{kind: 2}]},\n] as const;\n";
    expect([await declaredAt(text, "name: 'b'"), await declaredAt(text, 'kind: 2')]).toEqual(['3:4', '3:23']);
  });

  it('the label in a tuple names nothing, not even what has its name', async () => {
    const text = 'const start = 1;\nfunction f(...args: [start: number, end?: string]) { return [start, args]; }\n';
    expect(await definedAt({'a.ts': text}, 'a.ts', 'start: number')).toBe('text');
    expect([await declaredAt(text, 'start: number'), await declaredAt(text, 'end?')]).toEqual([undefined, undefined]);
  });

  it('what is imported from a package is what `declare module` says of it, or of a part of it, where the package is there', async () => {
    const files = {
      'ambient.d.ts': "declare module 'bare' { export function bare(): void }\n",
      'add.ts':
        "import {Point} from 'point/lib/geometry';\ndeclare module 'point/lib/geometry' {\n  namespace Point { function add(): Point }\n}\nexport const a = Point;\n",
      'use.ts': "import {Point} from 'point';\nimport {bare} from 'bare';\nPoint.add();\nbare();\n",
    };
    expect(await meant(files, 'use.ts')).toEqual([
      'use.ts:3 reference Point -> ?',
      'use.ts:3 call add -> ?',
      'use.ts:4 call bare -> ambient.d.ts::bare.bare#function',
    ]);
    expect(await meant({...files, 'node_modules/point/index.js': ''}, 'use.ts')).toEqual([
      'use.ts:3 reference Point -> add.ts::point/lib/geometry.Point#namespace',
      'use.ts:3 call add -> add.ts::point/lib/geometry.Point.add#function',
      'use.ts:4 call bare -> ambient.d.ts::bare.bare#function',
    ]);
  });

  it('guards, `instanceof` and members of chains that tell alternatives apart say what a name is behind them', async () => {
    const types = `export interface Shape { kind: string }
export class Circle implements Shape { kind = 'circle'; radius = 1 }
export interface On { state: 'on'; since: number }
export interface Off { state: 'off'; since: string }
export function isCircle(shape: Shape): shape is Circle { return shape.kind === 'circle'; }
`;
    const use = `import {isCircle, Circle, type Shape, type On, type Off} from './types.ts';
export function f(shape: Shape, holder: {now: On | Off; shape: Shape}, x: unknown) {
  if (isCircle(shape)) shape.radius;
  x instanceof Circle && x.radius;
  if (isCircle(holder.shape) && x) holder.shape.radius;
  if (holder.now.state === 'off') holder.now.since;
  isCircle(shape) ? shape.kind : shape.radius;
  switch (holder.now.state) { case 'other': case 'off': { { { { { { { { { { { { holder.now.since; } } } } } } } } } } } } }
}
`;
    const all = await meant({'types.ts': types, 'use.ts': use}, 'use.ts');
    expect(all.filter((line) => / (?:radius|since|kind) /.test(line))).toEqual([
      'use.ts:3 reference radius -> types.ts::Circle.radius#property',
      'use.ts:4 reference radius -> types.ts::Circle.radius#property',
      'use.ts:5 reference radius -> types.ts::Circle.radius#property',
      'use.ts:6 reference since -> types.ts::Off.since#property',
      'use.ts:7 reference kind -> types.ts::Circle.kind#property',
      'use.ts:7 reference radius -> ?',
      'use.ts:8 reference since -> types.ts::Off.since#property',
    ]);
  });

  it('attributes of components are members of what these take: functions, classes, `FC`, `forwardRef`, `memo`', async () => {
    const parts = `export interface Props { title: string }
export const Plain = ({title}: Props) => title;
export class Classic extends React.Component<Props> {}
export const Typed: React.FC<Props> = ({title}) => <p>{title}</p>;
export const Forwarded = React.forwardRef<HTMLElement, Props>((props, ref) => null);
export const Kept = memo(function Kept(props: Props) { return null; });
`;
    const use = `import {Plain, Classic, Typed, Forwarded, Kept} from './parts.tsx';
export const page = (title: string) => [
  <Plain title="a" />,
  <Classic title="a" />,
  <Typed title="a">b</Typed>,
  <Forwarded title="a" />,
  <Kept title={title} other="b" />,
  <div title="a" />,
];
`;
    expect((await meant({'parts.tsx': parts, 'use.tsx': use}, 'use.tsx')).filter((line) => / (?:title|other) /.test(line))).toEqual([
      'use.tsx:3 reference title -> parts.tsx::Props.title#property',
      'use.tsx:4 reference title -> parts.tsx::Props.title#property',
      'use.tsx:5 reference title -> parts.tsx::Props.title#property',
      'use.tsx:6 reference title -> parts.tsx::Props.title#property',
      'use.tsx:7 reference title -> parts.tsx::Props.title#property',
    ]);
  });

  it('a key that is given to what no installed package declares is its own; where the package is there it is unknown', async () => {
    const files = {
      'a.ts': "import {make} from 'missing-package/part';\nconst made = make({});\nmake({first: 1});\nmade.go({second: 2});\n",
    };
    expect([await definedAt(files, 'a.ts', 'first'), await definedAt(files, 'a.ts', 'second')]).toEqual([['a.ts:3:7'], ['a.ts:4:10']]);
    const installed = {...files, 'node_modules/missing-package/index.js': ''};
    const typed = {...files, 'node_modules/@types/missing-package/index.d.ts': ''};
    expect([await definedAt(installed, 'a.ts', 'first'), await definedAt(typed, 'a.ts', 'second')]).toEqual(['text', 'text']);
  });

  it('a name that is key and value is the value, where no type says what the key is', async () => {
    const files = {'a.ts': "import {make} from 'missing-package';\nexport function f(first: number) {\n  make({first});\n}\n"};
    expect(await definedAt(files, 'a.ts', 'first})')).toBe('text');
    expect(await declaredAt(files['a.ts'], 'first})')).toBe('2:19');
  });

  it('an argument for a list of parameters is an element of it', async () => {
    const files = {
      'types.ts':
        'export interface Item { keys: string[] }\nexport class Adder { add(first: string, ...items: Array<Adder | Item>): void {} }\nexport function last<T>(...all: T[]): T { throw all; }\n',
      'use.ts': "import {Adder, last} from './types.ts';\nnew Adder().add('a', new Adder(), {keys: []});\nlast(new Adder()).add('b');\n",
    };
    expect((await meant(files, 'use.ts')).filter((line) => / (?:keys|add) /.test(line))).toEqual([
      'use.ts:2 call add -> types.ts::Adder.add#method',
      'use.ts:2 reference keys -> types.ts::Item.keys#property',
      'use.ts:3 call add -> types.ts::Adder.add#method',
    ]);
  });

  it('references of a member are those of the members that it overrides, too, and of all that override these', async () => {
    const files = {
      'base.ts': 'export interface Runner { run(): void }\nexport class Other { run(): void {} }\n',
      'one.ts':
        "import type {Runner} from './base.ts';\nexport class One implements Runner { run(): void {} static make(): One { return new One(); } }\n",
      'two.ts':
        "import {One} from './one.ts';\nexport class Two extends One { override run(): void { super.run(); } static make(): Two { return new Two(); } }\n",
      'use.ts':
        "import type {Runner, Other} from './base.ts';\nimport type {Two} from './two.ts';\nexport function f(a: Runner, b: Two, c: Other) {\n  a.run();\n  b.run();\n  c.run();\n}\n",
    };
    const index = openStoredIndex(await indexFiles(files));
    const places = (id: string, merged = false): string[] =>
      index
        .ask(({edges, place}) => edges.references(place(id), {limit: 100, merged}))
        .places.map(({path, range}) => `${path}:${shown(range.start)}`);
    try {
      const family = ['base.ts:1:27', 'one.ts:2:38', 'two.ts:2:41', 'two.ts:2:61', 'use.ts:4:5', 'use.ts:5:5'];
      expect(places('base.ts::Runner.run#method').toSorted()).toEqual(family);
      expect(places('one.ts::One.run#method').toSorted()).toEqual(family);
      expect(places('two.ts::Two.run#method').toSorted()).toEqual(family);
      expect(places('base.ts::Other.run#method')).toEqual(['base.ts:2:22', 'use.ts:6:5']);
      expect(places('one.ts::One.make#method')).toEqual(['one.ts:2:60']);
      expect(places('two.ts::Two.run#method', true)).toEqual(['two.ts:2:41', 'use.ts:5:5']);
    } finally {
      index.close();
    }
  });

  it('a type, a value and a namespace of one name have each their own references, and share those of what is two of them', async () => {
    const files = {
      'a.ts': `export interface Ask { kind: typeof Ask.KIND }
export namespace Ask { export const KIND = 'ask'; }
export interface Key { name: string }
export const Key = {name: 'a'};
export class Box {}
export namespace Box { export const size = 1; }
`,
      'b.ts': `import {Ask, Key, Box} from './a.ts';
export function f(ask: Ask, key: Key): Box {
  return [Ask.KIND, Key.name, Box, ask, key];
}
`,
    };
    const index = openStoredIndex(await indexFiles(files));
    const places = (id: string): string[] =>
      index
        .ask(({edges, place}) => edges.references(place(id), {limit: 100}))
        .places.map(({path, range}) => `${path}:${shown(range.start)}`);
    try {
      expect(places('a.ts::Ask#interface')).toEqual(['a.ts:1:18', 'b.ts:1:9', 'b.ts:2:24']);
      expect(places('a.ts::Ask#namespace')).toEqual(['a.ts:2:18', 'a.ts:1:37', 'b.ts:1:9', 'b.ts:3:11']);
      expect(places('a.ts::Key#interface')).toEqual(['a.ts:3:18', 'b.ts:1:14', 'b.ts:2:34']);
      expect(places('a.ts::Box#class')).toEqual(['a.ts:5:14', 'a.ts:6:18', 'b.ts:1:19', 'b.ts:2:40', 'b.ts:3:31']);
    } finally {
      index.close();
    }
    expect(await definedAt(files, 'b.ts', 'Ask, key')).toEqual(['a.ts:1:18', 'a.ts:2:18']);
    expect(await definedAt(files, 'b.ts', 'Ask.KIND')).toEqual(['a.ts:2:18', 'a.ts:1:18']);
  });

  it('names that a comment links to are references, where the file declares or imports them (JSDoc › Inline link, › @see)', async () => {
    const files = {
      'a.ts': 'export class Server {}\nexport function stop(): void {}\n',
      'b.ts': `import {Server, stop} from './a.ts';
/**
 * Makes a {@link Server}, as {@linkcode Server} says, see {@link https://a.b}.
 * @see stop or unknown
 * @see {@link stop}
 */
export function make(first: Server): void {
  // {@link Server}
  /* {@link stop} */
}
/** {@link unknown} {@link Server} */
export const last = 1;
`,
    };
    expect(await meant(files, 'b.ts')).toEqual([
      'b.ts:3 reference Server -> a.ts::Server#class',
      'b.ts:3 reference Server -> a.ts::Server#class',
      'b.ts:4 reference stop -> a.ts::stop#function',
      'b.ts:5 reference stop -> a.ts::stop#function',
      'b.ts:7 uses_type Server -> a.ts::Server#class',
      'b.ts:11 reference Server -> a.ts::Server#class',
    ]);
    expect(await definedAt(files, 'b.ts', 'stop or')).toEqual(['a.ts:2:17']);
  });

  it('a comment links to members (`A.b`, `A#b`), and to a type and a value of one name alike (JSDoc › Namepaths)', async () => {
    const files = {
      'a.ts': 'export interface Ask { name: string }\nexport namespace Ask { export const one = 1; }\nexport class Box { size = 1 }\n',
      'b.ts':
        "import {Ask, Box} from './a.ts';\n/** {@link Ask}, {@link Ask.name}, {@link Box#size}, {@link Box.size.none}, {@link Other.name}. */\nexport const b = [Ask, Box];\n",
    };
    const path = await indexFiles(files);
    expect(meanings(path).filter((line) => line.startsWith('b.ts:2'))).toEqual([
      'b.ts:2 reference Ask -> a.ts::Ask#interface',
      'b.ts:2 reference Ask -> a.ts::Ask#interface',
      'b.ts:2 reference name -> a.ts::Ask.name#property',
      'b.ts:2 reference Box -> a.ts::Box#class',
      'b.ts:2 reference size -> a.ts::Box.size#property',
      'b.ts:2 reference Box -> a.ts::Box#class',
      'b.ts:2 reference size -> a.ts::Box.size#property',
      'b.ts:2 reference none -> ?',
    ]);
    const index = openStoredIndex(path);
    try {
      const places = ['a.ts::Ask#interface', 'a.ts::Ask#namespace'].map((id) =>
        index
          .ask(({edges, place}) => edges.references(place(id), {limit: 100}))
          .places.map((one) => `${one.path}:${shown(one.range.start)}`),
      );
      expect(places).toEqual([
        ['a.ts:1:18', 'b.ts:1:9', 'b.ts:2:12', 'b.ts:2:25'],
        ['a.ts:2:18', 'b.ts:1:9', 'b.ts:2:12', 'b.ts:2:25', 'b.ts:3:19'],
      ]);
    } finally {
      index.close();
    }
  });

  it("the text in `T['name']` and in `a['name']` names the member, and what comes behind it is one of its type", async () => {
    const files = {
      'a.ts':
        'export interface Part { size: number }\nexport interface Box { part: Part; list: Part[]; kind: string }\nexport const box: Box = {part: {size: 1}, list: [], kind: ``};\n',
      'b.ts':
        "import {box, type Box} from './a.ts';\nexport function f(part: Box['part'], key: Box['list'][number]['size'], other: Box[`kind`], any: Box['kind' | 'none']) {\n  box['part'].size;\n  box['list'][0].size;\n  box['none'].size;\n  part['size'];\n  other['size'];\n}\n",
    };
    expect((await meant(files, 'b.ts')).filter((line) => !/ (?:box|Box) /.test(line))).toEqual([
      'b.ts:2 reference part -> a.ts::Box.part#property',
      'b.ts:2 reference list -> a.ts::Box.list#property',
      'b.ts:2 reference size -> a.ts::Part.size#property',
      'b.ts:3 reference part -> a.ts::Box.part#property',
      'b.ts:3 reference size -> a.ts::Part.size#property',
      'b.ts:4 reference list -> a.ts::Box.list#property',
      'b.ts:4 reference size -> a.ts::Part.size#property',
      'b.ts:5 reference size -> ?',
      'b.ts:6 reference size -> a.ts::Part.size#property',
    ]);
  });

  it('what a variable is declared as goes before what is written into it, but for types without a name in that', async () => {
    const files = {
      'a.ts':
        'export interface Box { size: number }\nexport const box: Box = {size: 1};\nexport const plain = {size: 1};\nexport class All { kept: Map<string, {size: number; box?: Box}> = new Map(); list: Box[] = [{size: 1}]; }\n',
      'b.ts':
        "import {box, plain, All} from './a.ts';\nexport const all = new All();\nbox.size;\nplain.size;\nall.kept.get('a')?.size;\nall.kept.get('a')?.box?.size;\nall.list[0].size;\n",
    };
    expect((await meant(files, 'b.ts')).filter((line) => / size /.test(line))).toEqual([
      'b.ts:3 reference size -> a.ts::Box.size#property',
      'b.ts:4 reference size -> a.ts::plain.size#property',
      'b.ts:5 reference size -> a.ts::All.kept.#1.size#property',
      'b.ts:6 reference size -> a.ts::Box.size#property',
      'b.ts:7 reference size -> a.ts::Box.size#property',
    ]);
  });

  it('a list is one of all its elements, and of those of what is spread into it', async () => {
    const files = {
      'a.ts':
        'export class One { go(): void {} static make(): One { return new One(); } }\nexport class Two { go(): void {} static make(): Two { return new Two(); } }\n',
      'b.ts':
        "import {One, Two} from './a.ts';\nexport function f(more: Two[]) {\n  [One, Two].forEach((Each) => Each.make());\n  for (const one of [new One(), ...more]) one.go();\n  for (const two of [...more]) two.go();\n}\n",
    };
    const index = openStoredIndex(await indexFiles(files));
    try {
      const places = ['One.go', 'Two.go', 'One.make', 'Two.make'].map((name) =>
        index
          .ask(({edges, place}) => edges.references(place(`a.ts::${name}#method`), {limit: 100}))
          .places.map((one) => `${one.path}:${shown(one.range.start)}`),
      );
      expect(places).toEqual([
        ['a.ts:1:20', 'b.ts:4:47'],
        ['a.ts:2:20', 'b.ts:4:47', 'b.ts:5:36'],
        ['a.ts:1:41', 'b.ts:3:37'],
        ['a.ts:2:41', 'b.ts:3:37'],
      ]);
    } finally {
      index.close();
    }
  });

  it('`Omit` leaves members out, `Pick` all others (TypeScript › Utility Types)', async () => {
    const files = {
      'a.ts': `export interface Box { size: number; name: string; kind: string }
export type Named = Partial<Omit<Box, 'size' | 'kind'>> & {size: string};
export interface Sized extends Omit<Box, 'size'> { other: string }
export type Picked = Pick<Box, 'name'>;
export type Some<K extends string> = Omit<Box, K>;
`,
      'b.ts': `import type {Named, Sized, Picked, Some} from './a.ts';
export function f(one: Named, two: Sized, three: Picked, four: Some<'size'>) {
  return [one.size, one.name, one.kind, two.size, two.name, three.size, three.name, four.size];
}
`,
    };
    expect((await meant(files, 'b.ts')).filter((line) => line.includes(':3 '))).toEqual([
      'b.ts:3 reference size -> a.ts::Named.size#property',
      'b.ts:3 reference name -> a.ts::Box.name#property',
      'b.ts:3 reference kind -> ?',
      'b.ts:3 reference size -> ?',
      'b.ts:3 reference name -> a.ts::Box.name#property',
      'b.ts:3 reference size -> ?',
      'b.ts:3 reference name -> a.ts::Box.name#property',
      'b.ts:3 reference size -> a.ts::Box.size#property',
    ]);
  });

  it('the name of a function that is a value is seen in it alone, and has its type', async () => {
    const text = `export interface Box { size: number }
export const Line = memo(function Line(): Box { return Line(); });
export const other = Line;
export const make = function* inner() { inner; };
export function outer() {
  return function step(by: number): Box { step(by).size; return step(1); };
}
export const last = [inner, step];
`;
    expect([await declaredAt(text, 'Line();'), await declaredAt(text, 'inner;'), await declaredAt(text, 'step(1)')]).toEqual([
      '2:35',
      '4:31',
      '6:19',
    ]);
    expect(meanings(await indexFiles({'a.ts': text})).filter((line) => / (?:Line|size|inner|step) /.test(line))).toEqual([
      'a.ts:8 reference inner -> ?',
      'a.ts:8 reference step -> ?',
    ]);
    expect(await definedAt({'a.ts': text}, 'a.ts', 'Line;')).toEqual(['a.ts:2:14']);
    expect(await definedAt({'a.ts': text}, 'a.ts', 'size; return')).toEqual(['a.ts:1:24']);
  });

  it('the types that the tags of a comment tell are references (JSDoc › Types)', async () => {
    const files = {
      'a.ts': 'export class Server {}\nexport class Log {}\nexport type name = string;\n',
      'b.ts': `import {Server, Log, name} from './a.ts';
/**
 * {Server}, Log
 * @param {Promise<Server[] | {name: Log}>} name Log
 * @returns {Map<string, {all: {one: Server}}>} Server
 * @throws {Other.Log} 'Log'
 * @type {'Log'}
 */
export const f = (name: string) => [new Server(), new Log(), name];
// @param {Server} no
export type Any = name;
`,
    };
    expect((await meant(files, 'b.ts')).filter((line) => !line.includes(':9 '))).toEqual([
      'b.ts:4 reference Server -> a.ts::Server#class',
      'b.ts:4 reference Log -> a.ts::Log#class',
      'b.ts:5 reference Server -> a.ts::Server#class',
      'b.ts:11 uses_type name -> a.ts::name#type',
    ]);
  });

  it('what `import()` promises is the module', async () => {
    const files = {
      'a.ts': 'export function run(): Box { return new Box(); }\nexport class Box { size = 1 }\n',
      'b.ts': `export async function f() {
  const {run} = await import('./a.ts');
  run().size;
  const all = await import('./a.ts');
  all.run().size;
  (await import('./a.ts')).run();
  import('./a.ts').then((m) => m.run());
  import('./a.ts').then(({run: other}) => other().size);
  const {none} = await import('./none.ts');
  return none;
}
`,
    };
    expect(await meant(files, 'b.ts')).toEqual([
      'b.ts:2 reference run -> a.ts::run#function',
      'b.ts:3 reference size -> a.ts::Box.size#property',
      'b.ts:5 call run -> a.ts::run#function',
      'b.ts:5 reference size -> a.ts::Box.size#property',
      'b.ts:6 call run -> a.ts::run#function',
      'b.ts:7 call then -> ?',
      'b.ts:7 call run -> a.ts::run#function',
      'b.ts:8 call then -> ?',
      'b.ts:8 reference run -> a.ts::run#function',
      'b.ts:8 reference size -> a.ts::Box.size#property',
    ]);
  });

  it('a pattern that declares nothing names members and variables: `({a} = b)`', async () => {
    const files = {
      'a.ts':
        'export interface Box { size: number; deep: {name: string} }\nexport function get(): Box { throw 1; }\nexport let name = ``;\n',
      'b.ts': `import {get} from './a.ts';
export let name = '';
export function f() {
  let size: number;
  let other: number;
  ({size, deep: {name}} = get());
  ({size: other} = get());
  return size + other;
}
`,
    };
    expect(meanings(await indexFiles(files)).filter((line) => / (?:size|deep|name) /.test(line))).toEqual([
      'b.ts:6 reference deep -> a.ts::Box.deep#property',
      'b.ts:7 reference size -> a.ts::Box.size#property',
    ]);
    expect(await definedAt(files, 'b.ts', 'name}}')).toEqual(['b.ts:2:12']);
    expect(await declaredAt(files['b.ts'], 'size, deep')).toBe('4:7');
  });

  it('what belongs to the class itself fulfils no interface', async () => {
    const files = {
      'a.ts':
        'export interface Clock { now(): number }\nexport class Own implements Clock { now(): number { return 1; } }\nexport class Other { static now(): number { return 2; } }\nexport class Sub extends Other implements Clock { static now(): number { return Other.now(); } }\n',
    };
    const index = openStoredIndex(await indexFiles(files));
    try {
      const places = index.ask(({edges, place}) => edges.references(place('a.ts::Clock.now#method'), {limit: 100})).places;
      expect(places.map(({range}) => shown(range.start))).toEqual(['1:26', '2:37']);
    } finally {
      index.close();
    }
  });

  it('what is gone through in pairs has its values second: maps, `entries()`', async () => {
    const files = {
      'a.ts':
        'export interface Box { size: number }\nexport const byName = new Map<string, Box>();\nexport const all: readonly (Box | undefined)[] = [];\n',
      'b.ts': `import {byName, all, type Box} from './a.ts';
export function f(given: ReadonlyMap<string, Box>) {
  for (const [name, {size}] of given) size + name;
  for (const [, box] of byName.entries()) box.size;
  for (const [at, box] of all.entries()) box?.size;
  return [...given].map(([name, box]) => box.size);
}
`,
    };
    const size = 'reference size -> a.ts::Box.size#property';
    expect((await meant(files, 'b.ts')).filter((line) => / size /.test(line))).toEqual([
      `b.ts:3 ${size}`,
      `b.ts:4 ${size}`,
      `b.ts:5 ${size}`,
      `b.ts:6 ${size}`,
    ]);
  });
});
