import {describe, expect, it} from 'vitest';
import {meaningInFile} from '../../../src/code/extract/places.ts';

const {signal} = new AbortController();

describe('scopes of TypeScript (issue 6, "definitions agree with the TypeScript compiler API")', () => {
  it.each([
    ['variables of loops beside each other', 'function f(o) { for (const k in o) k; for (const k in o) |k; }', '0:49'],
    ['a loop whose list has the name of its variable', 'function f(k) { for (const k of |k) k; }', '0:27'],
    ['errors of clauses beside each other', 'function f() { try {} catch (e) {} try {} catch (e) { |e; } }', '0:49'],
    ['behind a loop, what is around it', 'function f(k) { for (const k of []) k; |k; }', '0:11'],
    [
      'a type that is inferred in a type of objects, of conditions in each other',
      'type T<U> = U extends {a: infer V} ? V : U extends {b: infer V} ? |V : never;',
      '0:61',
    ],
    ['a type that is inferred in a function', 'type T<U> = U extends (a: infer V) => void ? |V : never;', '0:32'],
  ])('%s', async (_name, marked, place) => {
    const found = await meaningInFile(
      {language: 'typescript', text: marked.replace('|', ''), signal},
      {line: 0, character: marked.indexOf('|')},
    );
    const start = found !== undefined && 'declaration' in found ? found.declaration.start : undefined;
    expect(start === undefined ? found : `${start.line}:${start.character}`).toBe(place);
  });
});
