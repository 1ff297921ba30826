import {describe, expect, it} from 'vitest';
import {factsOf} from '../../../src/code/extract/facts.ts';
import {mendTypescript} from '../../../src/code/languages/typescript-mend.ts';

const {signal} = new AbortController();

describe('TypeScript that the grammar does not know', () => {
  const CASES: readonly (readonly [string, string, string])[] = [
    ['variance', 'interface A<in out T, out U = T> {}', 'interface A<       T,     U = T> {}'],
    ['variance behind a comment', 'interface A<\n  // in\n  in T,\n> {}', 'interface A<\n  // in\n     T,\n> {}'],
    ['a loop', 'for (const k in T) {}', 'for (const k in T) {}'],
    ['`export type *`', "export type * from 'a';", "export      * from 'a';"],
    ['members without semicolons', 'type F = {\n  <A>(a: A): A\n  <B>(b: B): B\n}', 'type F = {\n  <A>(a: A): A;  <B>(b: B): B\n}'],
    ['with a comment between', 'type F = {\n  (): A\n  /** b */\n  <B>(): B\n}', 'type F = {\n  (): A;  /** b */\n  <B>(): B\n}'],
    ['an arrow before it', 'const f = () =>\n  <B>(b: B) => b;', 'const f = () =>\n  <B>(b: B) => b;'],
    ['labels of tuples', 'type A = [ new: T, b: T] | [symbol?: T] | [news: T]', 'type A = [ _ew: T, b: T] | [_ymbol?: T] | [news: T]'],
    ['a text', "const a = '\\' <in T, /*';\n", "const a = '\\' <in T, /*';\n"],
  ];
  it.each(CASES)('is said in words that it knows, each place where it was: %s', (_, text, rewritten) => {
    expect(mendTypescript(text)).toBe(rewritten);
  });

  it('takes time in proportion to the text, whatever it holds', () => {
    const hostile = '/* <in T, '.repeat(20_000) + ' \n<'.repeat(20_000) + "'a".repeat(20_000);
    expect(mendTypescript(hostile).length).toBe(hostile.length);
  });

  it('has its symbols where they are written, and is not broken', async () => {
    const text = 'export interface Box<out T> {\n  <A>(a: A): Box\n  <B>(b: B): Box\n  value: T\n}\nexport const after = 1;\n';
    const {symbols, broken} = await factsOf('typescript', text, signal);
    expect({broken, names: symbols.map(({name, nameRange}) => `${nameRange.start.line}:${nameRange.start.character} ${name}`)}).toEqual({
      broken: false,
      names: ['0:17 Box', '3:2 value', '5:13 after'],
    });
  });
});
