import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {SearchEngine} from '../../../src/search/engine.ts';
import {translateRustRegex} from '../../../src/search/rust-regex/rust-regex.ts';
import {scratch} from '../../support/scratch.ts';
import {IS_THOROUGH} from '../../support/thorough.ts';
import {bothEngines, fuzzing, grepQuery, never} from '../support.ts';

// prettier-ignore
const LINES = [
  'foo', 'Foo', 'FOO bar', 'foobar', 'foo_bar baz', 'a.b', 'a+b', '(x)', '[y]', '{z}', 'a\\b', 'café', 'Straße', 'naïve', 'Δελτα', 'ΔΕΛΤΑ', '日本語',
  'emoji 🚀 rocket', 'x1 y22 z333', '2024-01-02', '  indented', '\ttab', 'trailing ', '', 'abc abc', 'aaa', 'aaaa', 'ab', 'abb', 'abbb', 'ac',
  'user@example.com', 'http://x.y/z?q=1#f', 'if (a && b) {', '} else {', 'return -1;', '#define X 1', '// comment', '"quoted"', "it's", 'A', 'Z', '_',
  '-', '--', '~', '&&', '^', '$', '|', 'end$', 'k', 'K', '\u212a', 'ſ', 'ä', 'Ä', '٣', 'a\u00a0b', 'tab\there', 'ǅ', 'i', 'İ', 'ı', 'foo\r', 'x\u200dy', 'Ⓐ',
];

// prettier-ignore
const PATTERNS = [
  'foo', '(?i)foo', '(?i:f)oo', 'f.o', 'fo+', '^foo$', 'foo$', 'foo|bar', '(foo|bar)baz?', 'a\\.b', 'a\\+b', '\\(x\\)', '[y]', '\\[y\\]', '\\{z\\}', 'a\\\\b',
  'caf.', 'caf\\w', '\\w+ß\\w', '(?-u)caf\\w', '\\bfoo\\b', '\\Bbar', '\\d+', '\\d{2,3}', '\\d{ 4 }-\\d{2}', '^\\s', '\\s$', '^$', 'a{3,}', 'ab{0,1}c?$',
  '(ab)+', '(?:ab)*c', '(?P<n>foo)', '(?<n>bar)', '[a-c]+$', '[^a-z]', '[a-z&&[^aeiou]]{3}', '[a-z--[aeiou]]{3}', '[a-c~~b-d]+$', '[[:alpha:]]+@',
  '[[:^alpha:]]+$', '[\\w&&[^\\d]]+$', '[\\d\\s]{2}', '[^\\W\\d_]+$', '\\p{L}+', '\\p{Greek}+', '\\p{Lu}', '\\P{L}+$', '\\pN', '\\p{Script=Han}', '\\p{greek}',
  '\\p{Alphabetic}', '[\\p{Greek}&&\\p{Lu}]', '\\p{^L}$', '\\x41', '\\x{1F680}', '\\u{1F680}', '\\u65e5', '\\U0001F680', '(?x) f o o', '(?x)[ a b ] c', '(?x:a b)c',
  '(?i)straße', '(?i)δελτα', '(?i)k', '(?i)[k]', '(?i)[^k]$', '\\<foo', 'foo\\>', '\\b{start}foo', 'foo\\b{end}', '(?U)a+', 'a**', '(a|)', '()', '|foo', 'foo|',
  '(?-m)^foo$', '\\Afoo', 'foo\\z', '(?R)foo$', '\\t', '\\a', '[]a]', '[a-]', '[-a]', '[--a]', '[a&&]', '[&&a]', '[a&b]$', '\\-', '\\#', '\\ ', 'x{1,2}{3}', '[[a-c][x-z]]+$',
  '(?-u)\\w+$', '(?i-u)k', '🚀', '[🚀]', '\\w', '\\W', '\\S+$', '\\D$', '(?x)\\ x', '(?i)[a-z]+$', '\\p{White_Space}', '\\p{ASCII}{9}', '(?i)\\p{Lu}$', 'foo(?i)BAR', '((?i)a)b',
  '(?=x)', '(?!x)', '(?<=x)y', '(?<!x)y', '(a)\\1', '\\0', '\\h', '\\Z', '\\q', '*a', '+', 'a{', 'a{2', 'a{}', 'a{3,2}', '(a', 'a)', '[a', '[]', '[z-a]', '(?z)a', '(?P<1>a)', '(?P<>a)',
  '\\', '\\p{Foo}', '[[:foo:]]', '[\\b]', '[\\w-a]', '\\é', '\\n', '\\xZZ', '\\u{D800}', '\\u{110000}', '(?P=n)',
];

async function answer(
  engine: SearchEngine,
  root: string,
  pattern: string,
  options: {caseInsensitive?: boolean; multiline?: boolean} = {},
): Promise<string> {
  try {
    const {matches} = await engine.grep(grepQuery({root, pattern, ...options}), never());
    return matches.map(({line}) => line).join();
  } catch (error) {
    return String(error instanceof Error && 'code' in error ? error.code : error);
  }
}

describe('Rust regex syntax in the built-in engine, compared with ripgrep', () => {
  const {ripgrep, builtin} = bothEngines('/nonexistent');

  it(
    `${PATTERNS.length} patterns (a quarter of them in npm test) on ${LINES.length} lines: plain, ignoring case, over lines`,
    {timeout: 60_000},
    async () => {
      const root = await scratch({'t.txt': `${LINES.join('\n')}\n`});
      const part = Number(process.env['FETTLE_SEED']) % 4;
      for (const pattern of PATTERNS.filter((_, index) => IS_THOROUGH || index % 4 === part)) {
        for (const options of [{}, {caseInsensitive: true}, {multiline: true}]) {
          const expected = await answer(ripgrep, root, pattern, options);
          expect({pattern, options, lines: await answer(builtin, root, pattern, options)}).toEqual({pattern, options, lines: expected});
        }
      }
    },
  );

  it('patterns and texts at random', {timeout: 120_000}, async () => {
    const root = await scratch();
    // prettier-ignore
    const pieces = fc.constantFrom(
      'a', 'b', 'é', ' ', '.', '\\.', '^', '$', '|', '(', ')', '(?:', '*', '+', '?', '{1,2}', '{2}', '[ab]', '[^a]', '[a-z&&[^b]]', '\\w', '\\W', '\\d', '\\s', '\\S', '\\b', '(?i)', '(?-i)',
      '\\p{L}', '[[:upper:]]', '[\\w-]', '\\x61', '(?x)', '(?s)', '1', 'A', '[', ']', '-', '\\n', '(?m:^)', '[^\\d]', '(?i:b)', '??', '*?',
    );
    const pattern = fc.array(pieces, {minLength: 1, maxLength: 6}).map((parts) => parts.join(''));
    const text = fc
      .array(fc.constantFrom('a', 'b', 'A', 'é', ' ', '1', '\n', '\n', 'ab', '-', '.', '_'), {maxLength: 20})
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(pattern, {minLength: 5, maxLength: 5}), text, fc.boolean(), async (patterns, content, multiline) => {
        await writeFile(join(root, 't.txt'), content);
        for (const one of patterns.filter((each) => !(multiline ? KNOWN_OVER_LINES : KNOWN).test(each) && closesWhatItOpens(each))) {
          const lines = await answer(builtin, root, one, {multiline});
          expect({one, lines}).toEqual({one, lines: await answer(ripgrep, root, one, {multiline})});
        }
      }),
      fuzzing(30),
    );
  });

  it('known differences: words beyond ASCII at a boundary, and {,n}, which newer versions of Rust regex take', async () => {
    const root = await scratch({'t.txt': 'café\naaaa\n'});
    const both = async (pattern: string): Promise<string[]> => [await answer(ripgrep, root, pattern), await answer(builtin, root, pattern)];
    expect([await both('caf\\b'), await both('^a{,4}$')]).toEqual([
      ['', '1'],
      ['BAD_ARGS', '2'],
    ]);
  });

  it('takes linear time where backtracking would not', async () => {
    const root = await scratch({'t.txt': `${'a'.repeat(50_000)}\n`});
    expect([
      await answer(builtin, root, '(a+)+$b'),
      await answer(builtin, root, '(a|a)*b'),
      await answer(builtin, root, '(.*)(.*)(.*)x'),
    ]).toEqual(['', '', '']);
  }, 10_000);
});

/** A boundary next to é is judged by ASCII; the comment sign and blanks of verbose mode end ripgrep's own wrapping. */
const KNOWN = /\\b|\(\?x\)/;
/** After a match ripgrep goes on as if a line began there: `^\s\S` finds two lines in ` a\na`. */
const KNOWN_OVER_LINES = /\\b|\(\?x\)|\^/;

/** ripgrep puts a pattern into a group, so it takes `)(?:`. */
function closesWhatItOpens(pattern: string): boolean {
  let depth = 0;
  for (const char of pattern) {
    depth += char === '(' ? 1 : char === ')' ? -1 : 0;
    if (depth < 0) return false;
  }
  return true;
}

describe('translateRustRegex', () => {
  const literalOf = (pattern: string, caseInsensitive = false): [string | undefined, boolean] => {
    const {literal, isLiteral} = translateRustRegex(pattern, {caseInsensitive, multiline: false});
    return [literal, isLiteral];
  };

  it('finds the text that every match contains', () => {
    expect(
      ['foo', 'fo+bar', 'fo*bar', 'a|b', '(?i)foo', 'foo(x|y)', 'a\\.b', 'x{0}yz', '^foo', ''].map((pattern) => literalOf(pattern)),
    ).toEqual([
      ['foo', true],
      ['bar', false],
      ['bar', false],
      [undefined, false],
      [undefined, false],
      ['foo', false],
      ['a.b', true],
      ['yz', false],
      ['foo', false],
      [undefined, false],
    ]);
    expect(literalOf('foo', true)).toEqual([undefined, false]);
  });
});
