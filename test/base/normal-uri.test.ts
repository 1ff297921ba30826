import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {normalUri} from '../../src/base/normal-uri.ts';

function uriOf(text: string): string {
  const normal = normalUri(text);
  return 'uri' in normal ? normal.uri : `refused: it ${normal.problem}`;
}

describe('the normal form of a URI', () => {
  it.each([
    ['file:///docs/../etc/passwd', 'file:///etc/passwd'],
    ['FILE:///etc/passwd', 'file:///etc/passwd'],
    ['file:/etc/passwd', 'file:///etc/passwd'],
    ['file://localhost/etc/passwd', 'file:///etc/passwd'],
    [String.raw`file:\\\etc\passwd`, 'file:///etc/passwd'],
    ['file:////etc//passwd', 'file:///etc/passwd'],
    ['file:///%65tc/pass%77d', 'file:///etc/passwd'],
    ['file:///docs/%2e%2E/etc/passwd', 'file:///etc/passwd'],
    ['file:///docs/.%2e/%2e/etc', 'file:///etc'],
    ['HTTP://EXAMPLE.com.:80/%7ea/./b', 'http://example.com/~a/b'],
    ['https://b\u00fccher.example:443/', 'https://xn--bcher-kva.example/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['Row://Prod/a/../B', 'row://Prod/B'],
    ['db://h/a%2fb', 'db://h/a%2Fb'],
  ])('%s → %s', (text, normal) => {
    expect(uriOf(text)).toBe(normal);
  });

  it.each([
    'row://0',
    'config://app',
    'https://example.com',
    'note:///日本.md',
    'file:///a b.txt',
    'ui://form/{id}',
    'memo:notes',
    'urn:isbn:0451450523',
    'postgres://u@h/db/table',
    'repo://owner%2Fname/src%2Fmain.ts',
    'search://q?term=50%25&x=a/../b#top',
    'C:/x',
  ])('%s reaches the server letter by letter, apart from its scheme', (text) => {
    expect(uriOf(text)).toBe(text.replace(/^[A-Z]/, (char) => char.toLowerCase()));
  });

  it.each([
    ['file:///etc/passwd%00.md', 'holds encoded control characters'],
    ['file:///a%0ab', 'holds encoded control characters'],
    ['file:///a%2500', 'holds encoded control characters'],
    ['fi\tle:///etc/passwd', 'holds control or invisible characters'],
    ['file:///etc\0/passwd', 'holds control or invisible characters'],
    ['file:///\u202eetc', 'holds control or invisible characters'],
    ['file:///e\u200btc', 'holds control or invisible characters'],
    ['file:///%u002e%u002e/etc', 'holds a % that encodes nothing (write %25)'],
    ['file:///100%', 'holds a % that encodes nothing (write %25)'],
    ['file:///%c0%ae%c0%ae/etc', 'holds encoded bytes that are not UTF-8'],
    ['file:///%2525252e%2525252e/etc', 'is encoded too often'],
    [String.raw`docs:\\public\..\secret`, 'holds a backslash (write / or %5C)'],
    ['https://docs.example@evil.example/', 'holds a name or a password'],
    ['/etc/passwd', 'has no scheme, or cannot be read'],
    ['', 'has no scheme, or cannot be read'],
  ])('%j is refused', (text, problem) => {
    expect(normalUri(text)).toEqual({problem});
  });

  it('is its own normal form, and its readings can be compared at once', () => {
    const piece = fc.constantFrom('..', '.', '/', '//', '%2e', '%2F', '%252e', 'a', 'B', '%5c', '?', '#', '*', ' ', 'ä', '%61', ':');
    const uri = fc
      .tuple(fc.constantFrom('file:///', 'docs://', 'memo:', 'HTTP://H/'), fc.array(piece, {maxLength: 12}))
      .map(([scheme, rest]) => scheme + rest.join(''));
    fc.assert(
      fc.property(uri, (text) => {
        const once = uriOf(text);
        expect(once.startsWith('refused') ? once : uriOf(once)).toBe(once);
      }),
    );
  });
});
