import {describe, expect, it} from 'vitest';
import {indexFiles, meanings} from '../index-files.ts';

const TYPES = `export class Server { log: Log = new Log(); start(): void {} }
export class Log { write(): void {} }
export interface Box<T, U = Log> { value: T; other: U; list: T[]; map<V>(f: (x: T) => V): Box<V> }
export class Base<T> { item!: T; get(): T { return this.item; } }
export class Child extends Base<Server> {}
export type Maybe<T> = T | Promise<T>;
export type Flat<T> = {[K in keyof T]: T[K]};
export type Either<T> = T extends string ? Log : Server;
export interface Circle { kind: 'circle'; size: number }
export interface Square { kind: 'square'; size: number }
export type Shape = Circle | Square;
export function first<T>(all: T[]): T { return all[0]; }
export function wrap<T>(x: T): Box<T> { throw x; }
export function each<T>(all: readonly T[], f: (x: T) => void): void {}
export function post(options?: Maybe<Circle>): void {}
export function draw(shape: Shape): void {}
`;

/** What the names of these lines mean that are members of the types above. */
async function members(...lines: readonly string[]): Promise<string[]> {
  const names = 'Server, Log, Box, Base, Child, Maybe, Flat, Either, Circle, Square, Shape, first, wrap, each, post, draw';
  const index = await indexFiles({'types.ts': TYPES, 'use.ts': `import {${names}} from './types.ts';\n${lines.join('\n')}\n`});
  return meanings(index).filter((line) => /^use\.ts:\d+ .* -> (?:\?|.*\..*\..*)$/.test(line) && !line.includes(' import '));
}

describe('members through computed types of TypeScript (issue: definitions agree with the compiler for ≥ 95 % of identifiers)', () => {
  it('type parameters are what they are given: of interfaces, classes, bases, aliases, by default', async () => {
    expect(
      await members(
        'function f(box: Box<Server>, child: Child, maybe: Maybe<Server>, base: Base<Box<Log>>) {',
        '  box.value.start(); box.other.write(); box.list[0].start();',
        '  child.item.start(); child.get().start(); maybe.start(); base.get().value.write();',
        '}',
        'class Own<T extends Server> { constructor(readonly t: T) {} go() { this.t.start(); } }',
      ),
    ).toMatchInlineSnapshot(`
      [
        "use.ts:3 reference value -> types.ts::Box.value#property",
        "use.ts:3 call start -> types.ts::Server.start#method",
        "use.ts:3 reference other -> types.ts::Box.other#property",
        "use.ts:3 call write -> types.ts::Log.write#method",
        "use.ts:3 reference list -> types.ts::Box.list#property",
        "use.ts:3 call start -> types.ts::Server.start#method",
        "use.ts:4 reference item -> types.ts::Base.item#property",
        "use.ts:4 call start -> types.ts::Server.start#method",
        "use.ts:4 call get -> types.ts::Base.get#method",
        "use.ts:4 call start -> types.ts::Server.start#method",
        "use.ts:4 call start -> types.ts::Server.start#method",
        "use.ts:4 call get -> types.ts::Base.get#method",
        "use.ts:4 reference value -> types.ts::Box.value#property",
        "use.ts:4 call write -> types.ts::Log.write#method",
        "use.ts:6 call start -> types.ts::Server.start#method",
      ]
    `);
  });

  it('type parameters of functions are found from what a call is given; callbacks are given what the function says', async () => {
    expect(
      await members(
        'function f(servers: Server[], box: Box<Server>) {',
        '  first(servers).start(); wrap(servers[0]).value.start(); first<Log>([]).write();',
        '  each(servers, (one) => one.start()); box.map((x) => x.log).value.write();',
        '  servers.map((one) => one.log).find((log) => log.write());',
        '}',
      ),
    ).toMatchInlineSnapshot(`
      [
        "use.ts:3 call start -> types.ts::Server.start#method",
        "use.ts:3 reference value -> types.ts::Box.value#property",
        "use.ts:3 call start -> types.ts::Server.start#method",
        "use.ts:3 call write -> types.ts::Log.write#method",
        "use.ts:4 call start -> types.ts::Server.start#method",
        "use.ts:4 call map -> types.ts::Box.map#method",
        "use.ts:4 reference log -> types.ts::Server.log#property",
        "use.ts:4 reference value -> types.ts::Box.value#property",
        "use.ts:4 call write -> types.ts::Log.write#method",
        "use.ts:5 call map -> ?",
        "use.ts:5 reference log -> types.ts::Server.log#property",
        "use.ts:5 call find -> ?",
        "use.ts:5 call write -> types.ts::Log.write#method",
      ]
    `);
  });

  it('mapped, conditional and looked up types, `ReturnType`, `typeof a & typeof b`', async () => {
    expect(
      await members(
        "function f(flat: Flat<Server>, either: Either<string>, log: Server['log'], made: ReturnType<typeof make>, both: typeof one & typeof two) {",
        '  flat.start(); either.write(); log.write(); made.start(); both.start();',
        '}',
        'function make(): Server { return new Server(); }',
        'declare const one: Log;',
        'declare const two: Server;',
      ),
    ).toMatchInlineSnapshot(`
      [
        "use.ts:2 reference log -> types.ts::Server.log#property",
        "use.ts:2 uses_type ReturnType -> ?",
        "use.ts:3 call start -> types.ts::Server.start#method",
        "use.ts:3 call write -> types.ts::Log.write#method",
        "use.ts:3 call write -> types.ts::Log.write#method",
        "use.ts:3 call start -> types.ts::Server.start#method",
        "use.ts:3 call start -> types.ts::Server.start#method",
      ]
    `);
  });

  it('keys and members mean those of the alternative that a text tells', async () => {
    expect(
      await members(
        'function f(shape: Shape) {',
        "  if (shape.kind === 'square') shape.size;",
        "  switch (shape.kind) { case 'square': shape.size; break; case 'circle': shape.size; }",
        "  draw({kind: 'square', size: 1});",
        "  post({kind: 'circle', size: 1});",
        '}',
      ),
    ).toMatchInlineSnapshot(`
      [
        "use.ts:3 reference kind -> types.ts::Circle.kind#property",
        "use.ts:3 reference kind -> types.ts::Square.kind#property",
        "use.ts:3 reference size -> types.ts::Square.size#property",
        "use.ts:4 reference kind -> types.ts::Circle.kind#property",
        "use.ts:4 reference kind -> types.ts::Square.kind#property",
        "use.ts:4 reference size -> types.ts::Square.size#property",
        "use.ts:4 reference size -> types.ts::Circle.size#property",
        "use.ts:5 reference kind -> types.ts::Square.kind#property",
        "use.ts:5 reference size -> types.ts::Square.size#property",
        "use.ts:6 reference kind -> types.ts::Circle.kind#property",
        "use.ts:6 reference size -> types.ts::Circle.size#property",
      ]
    `);
  });

  it('a type that is made of itself ends', async () => {
    expect(
      await members(
        'type Turn = Maybe<Turn>; type Chain<T> = Chain<Box<T>>; interface Loop extends Flat<Loop> {}',
        'function f(turn: Turn, chain: Chain<Log>, loop: Loop) { turn.no; chain.no; loop.no; }',
      ),
    ).toMatchInlineSnapshot(`
      [
        "use.ts:3 reference no -> ?",
        "use.ts:3 reference no -> ?",
        "use.ts:3 reference no -> ?",
      ]
    `);
  });
});
