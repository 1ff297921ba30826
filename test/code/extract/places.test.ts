import {describe, expect, it} from 'vitest';
import {placesOfLocal} from '../../../src/code/extract/local-places.ts';
import {meaningInFile} from '../../../src/code/extract/places.ts';

const signal = new AbortController().signal;

/** The meaning of the name that stands behind the mark `¶`. */
async function meaning(marked: string, language = 'typescript'): Promise<unknown> {
  const text = marked.replace('¶', '');
  const found = await meaningInFile({language, text, signal}, positionOf(marked));
  if (found === undefined || !('declaration' in found)) return found;
  const {declaration, ...rest} = found;
  return {...rest, at: `${declaration.start.line}:${declaration.start.character}`};
}

function positionOf(marked: string): {line: number; character: number} {
  const before = marked.slice(0, marked.indexOf('¶')).split('\n');
  return {line: before.length - 1, character: before.at(-1)?.length ?? 0};
}

describe('what a name in a file means (issue 6, "resolved by imports and scopes, not by name alone")', () => {
  const CASES: readonly (readonly [string, string, unknown])[] = [
    ['a local that shadows a symbol', 'const a = 1;\nfunction f() { const a = 2; return ¶a; }', {is: 'local', name: 'a', at: '1:21'}],
    [
      'the symbol after the block',
      'const a = 1;\n{ const a = 2; }\n¶a;',
      {is: 'symbol', name: 'a', qualifiedName: 'a', kind: 'constant', at: '0:6'},
    ],
    [
      'a hoisted function',
      '¶late();\nfunction late() {}',
      {is: 'symbol', name: 'late', qualifiedName: 'late', kind: 'function', at: '1:9'},
    ],
    ['a parameter in its default', 'const f = (b: number, c = ¶b) => c;', {is: 'local', name: 'b', at: '0:11'}],
    ['a destructured name', 'function f({x: {y}}: T) { return ¶y; }', {is: 'local', name: 'y', at: '0:16'}],
    [
      'the type of two with one name',
      'const T = 1; type T = 2;\nlet v: ¶T;',
      {is: 'symbol', name: 'T', qualifiedName: 'T', kind: 'type', at: '0:18'},
    ],
    [
      'the value of two with one name',
      'type T = 2; const T = 1;\nlet v = ¶T;',
      {is: 'symbol', name: 'T', qualifiedName: 'T', kind: 'constant', at: '0:18'},
    ],
    ['an import by its other name', "import {a as b} from './m.ts';\n¶b();", {is: 'import', local: 'b', original: 'a', module: './m.ts'}],
    [
      'a member of this',
      'class A { m() { this.¶n(); } n() {} }',
      {is: 'symbol', name: 'n', qualifiedName: 'A.n', kind: 'method', at: '0:28'},
    ],
    [
      'a member of what a call gives',
      'const s = make();\nfunction f() { const t = s.open(); t.¶x; }',
      {is: 'use', name: 'x', receiver: 's.open()'},
    ],
    ['a member of a typed parameter', 'function f(s: Server) { s.¶x; }', {is: 'use', name: 'x', receiver: '?', receiverType: 'Server'}],
    ['a member in a callback', 'items.map((one) => one.¶x);', {is: 'use', name: 'x', receiver: 'items.map(0:0)'}],
    ['a member of what is awaited', 'async function f() { (await open()).¶x; }', {is: 'use', name: 'x', receiver: 'open()!'}],
    ['a declaration itself', 'class ¶A {}', {is: 'symbol', name: 'A', qualifiedName: 'A', kind: 'class', at: '0:6'}],
    ['a name taken out of a type without a name', 'function f({¶a}: {b: 1; a: 2}) {}', {is: 'local', name: 'a', at: '0:23'}],
    ['the key of what is returned', 'function f(): {a: 1} { return {¶a: 1}; }', {is: 'local', name: 'a', at: '0:15'}],
    ['the key of what is handed in', 'function f(o: {a: 1}) {}\nf({¶a: 1});', {is: 'local', name: 'a', at: '0:15'}],
    [
      'the key of what is added to a list',
      'function f() { const w: {a: 1}[] = []; w.push({¶a: 1}); }',
      {is: 'local', name: 'a', at: '0:25'},
    ],
    ['no name', 'const a = ¶1;', undefined],
  ];

  it.each(CASES)('%s', async (_name, text, expected) => {
    expect(await meaning(text)).toEqual(expected);
  });

  it('goes by the last declaration before it where each hides the one before (Rust `let`)', async () => {
    const text = 'fn f() {\n  let a = 1;\n  let a = a + 1;\n  g(¶a);\n}';
    expect(await meaning(text, 'rust')).toEqual({is: 'local', name: 'a', at: '2:6'});
  });

  it('gives every place of a local name and none of its namesakes', async () => {
    const text = 'let a = 0;\nfunction f(a: number) {\n  a += 1;\n  return {a, b: () => a, c: (a: string) => a};\n}';
    const places = await placesOfLocal({language: 'typescript', text, signal}, {line: 1, character: 11});
    expect(places.map(({start}) => `${start.line}:${start.character}`)).toEqual(['1:11', '2:2', '3:10', '3:22']);
    expect(await placesOfLocal({language: 'typescript', text, signal}, {line: 0, character: 4})).toEqual([]);
  });
});
