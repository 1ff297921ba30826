import {describe, expect, it} from 'vitest';
import fc from 'fast-check';
import {factsOf} from '../../../src/code/extract/facts.ts';
import {tableFor} from '../../../src/code/languages/all.ts';
import {mendC, mendCpp} from '../../../src/code/languages/c-macros.ts';
import {mendKotlin} from '../../../src/code/languages/kotlin-mend.ts';
import {mendScala} from '../../../src/code/languages/scala-mend.ts';
import {mendSwift} from '../../../src/code/languages/swift-mend.ts';

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
      'API_EXPORT INLINE size_t size(int a);\nLUA_API ONCE struct state *fresh(void) { return 0; }',
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
    [
      'macros without a semicolon',
      'BEGIN_DECLS\nextern int g(void);\nEND_DECLS\nMORE_DECLS\nstruct a { int b; };\nEND_DECLS\n',
      ['function g 2', 'struct a 5', 'property a.b 5'],
    ],
    [
      'a macro that looks like a call',
      'static PATH_FUNC(path, "x")\nstatic PATH_FUNC(other, "y")\nstatic struct a *f(void) { return 1; }',
      ['function f 3'],
    ],
    ['types of the machine', 'typedef int int32_t;\ntypedef unsigned long size_t;', ['type int32_t 1', 'type size_t 2']],
    [
      'a block for C++, a condition that has a bracket in each branch',
      '#ifdef __cplusplus\nextern "C" {\n#endif\nint a(void);\n#ifdef __cplusplus\n} // extern\n#endif\nint b(void) {\n#if A\n  if (b) {\n#else\n  {\n#endif\n  }\n}\nint c;',
      ['function a 4', 'function b 8', 'variable c 16'],
    ],
    [
      'two beginnings of one function',
      '#ifdef OLD\nint f(a) int a;\n#else\nint f(int a)\n#endif\n{ return a; }\nint g(void) { return 2; }',
      ['function f 2', 'function g 7'],
    ],
    [
      'directives in an enumeration',
      'enum a {\n  B = 1,\n#define B B\n#include "more.h"\n  C\n};',
      ['enum a 1', 'enum_member a.B 2', 'constant B 3', 'enum_member a.C 5'],
    ],
    [
      'comments in a macro of several lines',
      'enum a {\n#define B /* old */ \\\n  1\n};\nint c;',
      ['enum a 1', 'constant B 2', 'variable c 5'],
    ],
    [
      'macros in an enumeration',
      'enum a {\n  LIST(B) C,\n  D OLD("no") = 1,\n  LIST(E)\n};',
      ['enum a 1', 'enum_member a.C 2', 'enum_member a.D 3'],
    ],
    [
      'a type that a macro makes',
      'extern API(int) f(void) NOTHROW;\ntypedef LIST_OF(a) list;\nLIST_OF(a) *g(void) nothrow pure;\nCALLED(x) static int h;\n!',
      ['function f 1', 'type list 2', 'function g 3', 'variable h 4'],
    ],
    ['macros on lines of their own', 'MAKE(a, const char *)\nMAKE(b, struct c *)\nstruct d { int e; };', ['struct d 3', 'property d.e 3']],
    ['a macro before a type', 'BEGIN_C\n\ntypedef struct a a;\nstruct b { int c; };', ['type a 3', 'struct b 4', 'property b.c 4']],
    ['macros at the end of a structure', 'struct a {\n  FIELDS\n  int b;\n  MORE FIELDS\n};', ['struct a 1', 'property a.b 3']],
    ['parameters of old', 'local void f OF((int a));\nlocal long g OF((void));', ['function f 1', 'function g 2']],
    ['a function that gives a pointer to one', 'OLD int (*get(int a))(int);\nint b;', ['function get 1', 'variable b 2']],
    [
      'branches within brackets and values',
      'int f(\n#if A\nint a)\n#else\nlong a)\n#endif\n{\n}\nstatic int b[] = {\n#if A\\\n  && B\n  1,\n#endif\n};\nint c;',
      ['function f 1', 'variable b 9', 'variable c 15'],
    ],
    ['a body in a branch', 'typedef struct a\n#if B\n{\n  int c;\n}\n#endif\nd;', ['type d 7', 'struct a 1', 'property a.c 4']],
    ['words that are never names', 'EXTERN(void) (int) (struct);\nint a;', ['variable a 2']],
    ['words of a compiler', 'typedef __signed__ char a;\ntypedef __SIZE_TYPE__ size_t;', ['type a 1', 'type size_t 2']],
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
      '😀',
    );
    fc.assert(
      fc.property(fc.array(pieces, {maxLength: 60}), (parts) => {
        const text = parts.join('');
        for (const rewritten of [mendC(text), mendCpp(text)]) {
          expect(rewritten).toHaveLength(text.length);
          expect(rewritten.split('').every((sign, at) => sign === text[at] || (sign === ' ' && text[at] !== '\n'))).toBe(true);
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

  it.each([
    [
      'classes with several attributes and bases that a macro makes',
      'struct EXPORT A {\n};\nclass EXPORT OLD("no") B final : public BASE(A) {\n  int c;\n};\nclass EXPORT D;\nint e;',
      ['struct A 1', 'class B 3', 'property B.c 4', 'variable e 7'],
    ],
    [
      'constructors and operators with attributes',
      'class A {\n  INLINE A(int a) : a(a) {}\n  INLINE ~A() = default;\n  INLINE static T* b(S* c) { return c; }\n  explicit A() NOTHROW;\n  void c() const NOTHROW;\n  FUNC operator T*();\n};',
      ['class A 1', 'method A.A 2', 'method A.~A 3', 'method A.b 4', 'method A.A 5', 'method A.c 6', 'method A.operator T* 7'],
    ],
    [
      'operators, whose bodies are no values',
      'template <class S = int>\nINLINE bool operator==(const A<S>& a) {\n  return true;\n}\nenum b f(void) { return 1; }\nEXPORT c *g(int a);',
      ['function operator== 2', 'function f 5', 'function g 6'],
    ],
    [
      'signals and slots',
      'class A {\n  Q_OBJECT\npublic Q_SLOTS:\n  void b();\nQ_SIGNALS:\n  void c();\n};',
      ['class A 1', 'method A.b 4', 'method A.c 6'],
    ],
    ['macros before a class', 'OFF(1)\nNAMESPACE_BEGIN\nWARNINGS_OFF\nclass A {\n  int b;\n};', ['class A 4', 'property A.b 5']],
  ])('%s', async (_what, text, symbols) => {
    expect(await outline('cpp', text)).toEqual(symbols);
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
      'swift',
      'extension A.B: C {\n  func d() {}\n}\nvar e = 1, f: Int = 2, g: Int\nclass H {\n  let i, j: Int\n}',
      ['impl B 1', 'method B.d 2', 'variable e 4', 'variable f 4', 'variable g 4', 'class H 5', 'property H.i 6', 'property H.j 6'],
    ],
    ['scala', 'package a\npackage object b {\n  def c = 1\n}', ['module a 1', 'class b 2', 'method b.c 3']],
    [
      'ruby',
      'Type.provide :gem do\n  A = 1\n  attr_reader :b\n  def self.c; end\nend\nclass D\n  each { E = 2 }\nend',
      ['constant A 2', 'property b 3', 'function c 4', 'class D 6', 'constant D.E 7'],
    ],
    [
      'markdown',
      '# `From` and `Into`\n\nSecond\n---\n\n## Third ##\n',
      ['namespace `From` and `Into` 1', 'namespace Second 3', 'namespace `From` and `Into`.Third 6'],
    ],
    [
      'python',
      'a = lambda: 1\nB = lambda c: 2\nclass D:\n    e = lambda self: 3\n',
      ['function a 1', 'function B 2', 'class D 3', 'property D.e 4'],
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

describe('what a grammar does not know, in words that it does (issue 6, "outlines agree")', () => {
  it.each([
    [
      'swift',
      'branches of the preprocessor',
      '#if os(iOS)\nimport UIKit\ntypealias View = UIView\n#elseif os(macOS)\ntypealias Other = NSView\n#endif\nclass A {\n  #if DEBUG\n  let b = 1\n  #endif\n}',
      ['type View 3', 'type Other 5', 'class A 7', 'property A.b 9'],
    ],
    [
      'swift',
      'conditions of versions',
      'func a() {\n  if #available(iOS 15.4, *) { b() }\n  guard #unavailable(iOS 9), let c = d else { return }\n}\nstruct E {}',
      ['function a 1', 'struct E 5'],
    ],
    [
      'swift',
      'macros',
      'func a(file: String = #fileID, line: UInt = #line) {}\nlet b = #selector(c), d = #keyPath(e)\n#Preview { F() }\nlet g = 1',
      ['function a 1', 'constant b 2', 'constant d 2', 'constant g 4'],
    ],
    [
      'swift',
      'raw strings',
      'let a = #"(b|c)?(<.*>)?$"#\nlet d = ##"""\n"#if\n"""##\nlet e = "#if"',
      ['constant a 1', 'constant d 2', 'constant e 5'],
    ],
    [
      'swift',
      'isolation, ownership, private attributes',
      'class A {\n  nonisolated(unsafe) static let b = 1\n  init(@_inheritContext @_self _ c: sending @escaping () -> Void, d: consuming D) {}\n  func `is it so`() {}\n}',
      ['class A 1', 'property A.b 2', 'method A.init 3', 'method A.is it so 4'],
    ],
    ['kotlin', 'functional interfaces', 'public fun interface A {\n  fun b()\n}', ['interface A 1', 'method A.b 2']],
    ['kotlin', 'ranges without their end', 'fun a() {\n  for (i in 0..<b.size) c()\n}\nclass D', ['function a 1', 'class D 4']],
    [
      'kotlin',
      'constructors on a line of their own',
      '@A\ninternal class B\n// Hidden.\n@C("d")\nprivate constructor(\n  val e: Int,\n) : F()\nclass G',
      ['class B 2', 'property B.e 6', 'class G 8'],
    ],
    [
      'kotlin',
      'soft keywords and delegates',
      'fun a() = b.map { annotation -> annotation.c }\nprivate val d: E\n    by lazy { f() }\nfun g() = when {\n  !isSame(h) || i -> j\n  else -> k\n}',
      ['function a 1', 'constant d 2', 'function g 4'],
    ],
    [
      'typescript',
      'a type parameter called `type`',
      'export type A<\n  b,\n  type extends C = D<b>,\n> = I<b> extends true\n  ? (type extends E ? F : G) | (type extends J ? F : G)\n  : K;\nexport function h<type extends C>(a: type): void {}',
      ['type A 1', 'function h 7'],
    ],
    ['bash', 'brackets in a condition', 'if [ -f a -o \\( -d b -a -d c \\) ]; then\n  d\nfi\ne() {\n  f\n}', ['function e 4']],
    [
      'scala',
      'arrows of one character',
      'class A {\n  def b(c: ⇒ Int) = c match { case d ⇒ for (e ← d) yield e }\n  def f = 1\n}',
      ['class A 1', 'method A.b 2', 'method A.f 3'],
    ],
    [
      'scala',
      'XML',
      'class A {\n  val b = <p class="c" id="d">2,3 { e("</p>") } <br/></p>\n  def f = 1\n}\nclass G(h: Int) { def i = h <j }',
      ['class A 1', 'property A.b 2', 'method A.f 3', 'class G 5', 'property G.h 5', 'method G.i 5'],
    ],
    [
      'scala',
      'parameters without brackets, words of version 3',
      'class A {\n  def b = c { d: Int => e(d) }\n  def f = { case g => enum(g) }\n}\ntrait H { self: I =>\n  def j = 1\n}',
      ['class A 1', 'method A.b 2', 'method A.f 3', 'trait H 5', 'method H.j 6'],
    ],
  ])('%s: %s', async (language, _what, text, symbols) => {
    const {broken} = await factsOf(language, text, signal);
    expect({broken, symbols: await outline(language, text)}).toEqual({broken: false, symbols});
  });

  it('keeps every character in its place, whatever the text', () => {
    const words = [
      '#if A\n',
      '#"',
      '"#',
      '"',
      '"""',
      '`',
      '@_a ',
      '#available(',
      ')',
      'fun interface',
      'class A',
      '\nconstructor',
      '@B',
      '..<',
      ',',
      ' ⇒',
      '<a>',
      '</a>',
      '{',
      '}',
      '/*',
      '*/',
      '//',
      '\n',
      '=',
      'b: C =>',
      '😀',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), {maxLength: 40}), (parts) => {
        const text = parts.join('');
        const lengths = [mendSwift, mendKotlin, mendScala].map((mend) => mend(text).length);
        expect(lengths).toEqual([text.length, text.length, text.length]);
      }),
    );
  });
});
