import {describe, expect, it} from 'vitest';
import {indexFiles, meanings} from '../index-files.ts';

const TYPES = `export class Car { wheels = 4; go(): Road { return new Road(); } }
export class Boat { deck = 1; go(): River { return new River(); } }
export class Road { length = 1 }
export class River { length = 1 }
export type Both = Car & {driver: string};
export function isCar(x: Car | Boat): x is Car { return 'wheels' in x; }
`;

async function members(use: string): Promise<string[]> {
  const path = await indexFiles({
    'types.ts': TYPES,
    'use.ts': `import {Car, Boat, isCar, type Both} from './types.ts';\n${use}`,
  });
  return meanings(path).flatMap(
    (line) => / (?:wheels|deck|go|length|driver) -> (.*)/.exec(line)?.[1]?.replace(/types\.ts::|#\w+/g, '') ?? [],
  );
}

describe('alternatives of a type (issue 6: definitions agree with the compiler; TypeScript language service › properties of unions)', () => {
  it.each<[string, string, readonly string[]]>([
    ['what each has', 'function f(x: Car | Boat) { x.go(); }', ['Car.go', 'Boat.go']],
    ['what only one has', 'function f(x: Car | Boat) { x.deck; }', ['Boat.deck']],
    ['and what these give', 'function f(x: Car | Boat) { x.go().length; }', ['Car.go', 'Boat.go', 'Road.length', 'River.length']],
    ['in a list', 'function f(all: (Car | Boat)[]) { all.find((x) => x.go()); }', ['Car.go', 'Boat.go']],
    ['in a promise', 'async function f(x: Promise<Car | Boat>) { (await x).go(); }', ['Car.go', 'Boat.go']],
    [
      'of two lists',
      'function f(all: Car[] | Boat[]) { for (const x of all) x.go(); all[0].go(); }',
      ['Car.go', 'Boat.go', 'Car.go', 'Boat.go'],
    ],
    ['one and the other', 'function f(x: Both) { x.go(); x.driver; }', ['Car.go', 'Both.driver']],
    [
      'one or the other',
      'function f(c: boolean, a: Car, b: Boat) { (c ? a : b).go(); (a ?? b).go(); (a || b).go(); }',
      ['Car.go', 'Boat.go', 'Car.go', 'Boat.go', 'Car.go', 'Boat.go'],
    ],
    ['the last', 'function f(a: Car | undefined, b: Boat) { (a && b).go(); }', ['Boat.go']],
    ['no member of a sum', 'function f(a: Car, b: Boat) { (a + b).go(); }', ['?']],
    ['what a condition finds it to be', 'function f(x: Car | Boat) { if (isCar(x)) x.go(); }', ['Car.go']],
    ['each once', 'function f(x: Car | Boat | Car) { x.go(); }', ['Car.go', 'Boat.go']],
  ])('%s', async (_, use, expected) => {
    expect(await members(use)).toEqual(expected);
  });

  it('types that are made of themselves end', async () => {
    const use = 'type A = B | Car; type B = A | Boat; function f(a: A, all: A[] | B) { a.go(); all[0].go(); a(); }';
    expect(await members(use)).toEqual(['Boat.go', 'Car.go', 'Boat.go', 'Car.go']);
  });
});
