import {describe, expect, it} from 'vitest';
import {indexFiles, meanings} from '../index-files.ts';

const TYPES =
  'export class Car { go(): Road { return new Road(); } }\nexport class Road { length = 1 }\nexport function load(): Promise<Car> { return Promise.reject(); }\n';

async function members(use: string, more: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const path = await indexFiles({'types.ts': TYPES, 'use.ts': `import {Car, load} from './types.ts';\n${use}`, ...more});
  return meanings(path).flatMap((line) => / (?:go|length) -> (.*)/.exec(line)?.[1]?.replace(/^\w+\.ts::|#\w+/g, '') ?? []);
}

describe('functions of the language that hand on what they are given (issue 6: definitions agree with the compiler)', () => {
  it.each<[string, string, readonly string[]]>([
    ['Array.from', 'function f(all: Map<string, Car>) { Array.from(all.values()).map((car) => car.go()); }', ['Car.go']],
    ['Object.values', 'function f(all: Record<string, Car>) { for (const car of Object.values(all)) car.go(); }', ['Car.go']],
    ['Promise.resolve', 'async function f(car: Car) { (await Promise.resolve(car)).go(); }', ['Car.go']],
    ['Promise.all', 'async function f(all: Promise<Car>[]) { (await Promise.all(all)).find((car) => car.go()); }', ['Car.go']],
    [
      'Promise.all of a list that is made',
      'async function f(all: string[]) { for (const car of await Promise.all(all.map(() => load()))) car.go().length; }',
      ['Car.go', 'Road.length'],
    ],
    ['Promise.race', 'async function f(all: Promise<Car>[]) { (await Promise.race(all)).go(); }', ['Car.go']],
    ['ArrayLike', 'function f(all: ArrayLike<Car>) { all[0].go(); }', ['Car.go']],
  ])('%s', async (_, use, expected) => {
    expect(await members(use)).toEqual(expected);
  });

  it('not what gives something else: a list from a function, a class of the same name, several promises that are written out', async () => {
    expect(await members('function f(car: Car[]) { Array.from(car, () => 1)[0].go; }')).toEqual(['?']);
    expect(
      await members("import {Array} from './own.ts'; function f(car: Car[]) { Array.from(car).go; }", {
        'own.ts': 'export class Array { static from(x: unknown): string { return ""; } }',
      }),
    ).toEqual(['?']);
    expect(await members('async function f() { const [a, b] = await Promise.all([load(), 1]); b.go; }')).toEqual(['?']);
  });

  it('names that every object has are none of these functions', async () => {
    const use =
      'function f(car: Car) { toString.call(car).go; Object.hasOwnProperty(car).go; Array.constructor(car).go; constructor.assign(car).go; Object.valueOf(car).go; }';
    expect(await members(use)).toEqual(['?', '?', '?', '?', '?']);
  });
});
