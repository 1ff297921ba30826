import {describe, expect, it} from 'vitest';
import {byteText} from '../../../src/workspace/ignore/byte-text.ts';
import {compileWildmatch} from '../../../src/workspace/ignore/wildmatch.ts';

/** Matches as a path pattern, as a path pattern ignoring case, and as a name pattern. */
function results(pattern: string, text: string): string {
  const bytes = byteText(text);
  const path = compileWildmatch(byteText(pattern), {pathname: true, ignoreCase: false}).matches(bytes);
  const folded = compileWildmatch(byteText(pattern), {pathname: true, ignoreCase: true}).matches(bytes.toLowerCase());
  const name = compileWildmatch(byteText(pattern), {pathname: false, ignoreCase: false}).matches(bytes);
  return [path, folded, name].map((yes) => (yes ? 'y' : 'n')).join('');
}

describe('wildmatch.c of git', () => {
  const rows: readonly [pattern: string, text: string, expected: string][] = [
    ['foo', 'foo', 'yyy'],
    ['*', 'a/b', 'nny'],
    ['**', 'a/b', 'yyy'],
    ['a/**/b', 'a/b', 'yyn'],
    ['a/**/b', 'a/x/y/b', 'yyy'],
    ['**/b', 'xb', 'nnn'],
    ['**/*/b', 'a/b', 'yyn'],
    ['a**b', 'a/b', 'nny'],
    ['a?b', 'a/b', 'nny'],
    ['a[/]b', 'a/b', 'nnn'],
    ['[A-C]', 'b', 'nyn'],
    ['[[:upper:]]', 'b', 'nyn'],
    ['FOO', 'foo', 'nyn'],
    ['[!a]', 'b', 'yyy'],
    ['[]-a]', ']', 'yyy'],
    ['[a-', 'a', 'nnn'],
    ['[[:nope:]]', 'a', 'nnn'],
    ['[[:space:]]', '\v', 'nnn'],
    ['[\\-\\]]', ']', 'yyy'],
    ['a\\', 'a', 'nnn'],
    ['\\*', '*', 'yyy'],
    ['?', 'é', 'nnn'],
    ['??', 'é', 'yyy'],
    ['*.*.*', 'a.b', 'nnn'],
    ['*.*.*', 'a.b.c', 'yyy'],
  ];
  for (const [pattern, text, expected] of rows) {
    it(`${JSON.stringify(pattern)} and ${JSON.stringify(text)}: path, path without case, name → ${expected}`, () => {
      expect(results(pattern, text)).toBe(expected);
    });
  }

  it('takes bounded time for patterns that make others backtrack', () => {
    const text = `${'a'.repeat(3000)}/${'a'.repeat(1000)}`;
    const stars = compileWildmatch(`${'*a'.repeat(200)}*b`, {pathname: true, ignoreCase: false});
    const deep = compileWildmatch(`${'**/'.repeat(100)}${'a*'.repeat(50)}b*`, {pathname: true, ignoreCase: false});
    expect([stars.matches(text), deep.matches(text)]).toEqual([false, false]);
  }, 5000);
});
