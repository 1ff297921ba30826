import {describe, expect, it} from 'vitest';
import fc from 'fast-check';
import {factsOf} from '../../../src/code/extract/facts.ts';
import {tableFor} from '../../../src/code/languages/all.ts';
import {mendC, mendCpp} from '../../../src/code/languages/c-macros.ts';

const signal = new AbortController().signal;

/** `kind name line`, with what it is in. */
async function outline(language: string, text: string): Promise<string[]> {
  const {symbols} = await factsOf(language, text, signal);
  const nameOf = (index: number): string => (symbols[index] === undefined ? '' : `${nameOf(symbols[index].parent)}${symbols[index].name}.`);
  return symbols.map(({kind, name, parent, owner, nameRange}) => {
    const around = owner === undefined ? nameOf(parent) : `${owner}.`;
    return `${kind} ${around}${name} ${nameRange.start.line + 1}`;
  });
}

describe('C that only a preprocessor could read (issue 6, "agree with ctags on kinds and lines for ≥ 99 % of top-level symbols")', () => {
  it.each([
    [
      'attributes before the name',
      'API_EXPORT size_t size(int a);\nLUA_API lua_State *fresh(void) { return 0; }',
      ['function size 1', 'function fresh 2'],
    ],
    [
      'attributes behind the type',
      'typedef __u16 __bitwise __le16;\nint WINAPI run(void) { return 1; }',
      ['type __le16 1', 'function run 2'],
    ],
    [
      'attributes behind the parameters',
      'extern int find(char *a) NOTHROW NONNULL((1));\nint last;',
      ['function find 1', 'variable last 2'],
    ],
    ['a calling convention', 'typedef BOOL (WINAPI *Reader)(HANDLE, DWORD);', ['type Reader 1']],
    ['macros without a semicolon', 'BEGIN_DECLS\nextern int g(void);\nEND_DECLS\n', ['function g 2']],
    ['a macro that looks like a call', 'static PATH_FUNC(path, "x")\nstatic int f(void) { return 1; }', ['function f 2']],
    ['types of the machine', 'typedef int int32_t;\ntypedef unsigned long size_t;', ['type int32_t 1', 'type size_t 2']],
    ['a block for C++', '#ifdef __cplusplus\nextern "C" {\n#endif\nint a(void);\n#ifdef __cplusplus\n}\n#endif\n', ['function a 4']],
    [
      'two beginnings of one function',
      '#ifdef OLD\nint f(a) int a;\n#else\nint f(int a)\n#endif\n{ return a; }\nint g(void) { return 2; }',
      ['function f 2', 'function g 7'],
    ],
    ['a macro in a function', 'int f(void) {\n#define SIZE 4\n  return SIZE;\n}', ['function f 1', 'constant SIZE 2']],
  ])('%s', async (_what, text, symbols) => {
    expect(await outline('c', text)).toEqual(symbols);
  });

  it('keeps every character in its place, whatever the text', () => {
    const pieces = fc.constantFrom(
      '#if A\n',
      '#else\n',
      '#endif\n',
      '{',
      '}',
      '(',
      ')',
      'API ',
      'int ',
      'f',
      ';',
      '\n',
      '"',
      "'",
      '/*',
      '*/',
      'class ',
      '=',
      '\\\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, {maxLength: 60}), (parts) => {
        const text = parts.join('');
        for (const mended of [mendC(text), mendCpp(text)]) {
          expect(mended).toHaveLength(text.length);
          expect(mended.split('').every((sign, at) => sign === text[at] || (sign === ' ' && text[at] !== '\n'))).toBe(true);
        }
      }),
    );
  });
});

describe('C++ (issue 6, "outlines agree with ctags")', () => {
  it('has each part of a nested namespace, and types by their name alone whatever they are made for', async () => {
    const text =
      'namespace a::b {\ntemplate <> struct Box<int> {};\nclass EXPORT Wide final : Base {\n  int size;\n};\nstruct Box<char>::Part {};\n}';
    expect(await outline('cpp', text)).toEqual([
      'namespace a 1',
      'namespace a.b 1',
      'struct a.b.Box 2',
      'class a.b.Wide 3',
      'property a.b.Wide.size 4',
      'struct a.b.Part 6',
    ]);
  });

  it('knows a namespace with an attribute, which its grammar takes for a function', async () => {
    expect(await outline('cpp', 'namespace std VISIBILITY(default)\n{\nBEGIN_VERSION\nnamespace ranges {\nint a;\n}\n}')).toEqual([
      'namespace std 1',
      'namespace std.ranges 4',
      'variable std.ranges.a 5',
    ]);
  });

  it('knows an alias with an attribute', async () => {
    const text = 'struct A {\n  using size DEPRECATED("no") = int;\n  int b;\n};';
    expect(await outline('cpp', text)).toEqual(['struct A 1', 'type A.size 2', 'property A.b 3']);
  });

  it('takes no object that is made in a function for a function', async () => {
    expect(await outline('cpp', 'void f() {\n  std::lock_guard<std::mutex> lock(mutex);\n}')).toEqual(['function f 1']);
  });

  it.each([
    ['c', 'class A {\n};', 'cpp'],
    ['c', 'namespace a {\n}', 'cpp'],
    ['c', '/* class A { */\nint classes;\nstruct a { int b; };', 'c'],
    ['javascript', '/**\n * @flow strict\n */\ntype A = {b: string};', 'tsx'],
    ['javascript', 'const flow = "@flow";', 'javascript'],
  ])('reads %s as what it is: %j', (language, text, table) => {
    expect(tableFor(language, text).name).toBe(table);
  });
});

describe('outlines of other languages (issue 6, "outlines agree with ctags")', () => {
  it.each([
    [
      'elixir',
      'defmodule A do\n  @shortdoc "b"\n  @callback run(a) :: b when a: c\n  def left <~> right when left, do: right\n  Record.defrecord(:user, name: "")\n  test "it runs" do\n  end\nend',
      ['module A 1', 'method A.run 3', 'function A.<~> 4', 'struct A.user 5', 'function A.it runs 6'],
    ],
    ['lua', 'sink["close-done"] = function(a) end\nsink[1] = 2', ['method sink.close-done 1']],
    [
      'ruby',
      'class << X\n  alias same? old?\nend\nmodule M\n  alias :all? :every?\nend',
      ['function same? 2', 'module M 4', 'method M.all? 5'],
    ],
    [
      'markdown',
      '# `From` and `Into`\n\nSecond\n---\n\n## Third ##\n',
      ['namespace `From` and `Into` 1', 'namespace Second 3', 'namespace `From` and `Into`.Third 6'],
    ],
    ['javascript', 'module.exports = function sign(a) {\n  return sign(-a);\n};', ['function sign 1']],
    ['javascript', 'exports.a = exports.b = void 0;\nexports.__esModule = true;\nfunction a() {}\nexports.a = a;', ['function a 3']],
    [
      'csharp',
      'class A {\n  public static A operator +(A a, A b) => a;\n  public static implicit operator int(A a) => 1;\n  public int this[int i] { get; }\n}',
      ['class A 1', 'method A.operator + 2', 'method A.operator int 3', 'property A.this 4'],
    ],
  ])('%s', async (language, text, symbols) => {
    expect(await outline(language, text)).toEqual(symbols);
  });
});
