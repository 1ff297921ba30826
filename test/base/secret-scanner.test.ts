import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createScanner, type Finder} from '../../src/base/secret-scanner.ts';

/** Finds a beginning with the word that follows it, whatever its letters' case; `from` is behind the beginning where `inner`. */
function finder(begins: string, inner = false): Finder {
  return {
    begins,
    find(text, start) {
      if (text.slice(start, start + begins.length).toLowerCase() !== begins.toLowerCase()) return undefined;
      const rest = /^\w*/.exec(text.slice(start + begins.length))?.[0] ?? '';
      const from = inner ? start + begins.length : start;
      return {start, from, to: start + begins.length + rest.length, replacement: `<${begins}>`};
    },
  };
}

const FINDERS = [
  finder('key='),
  finder('pass', true),
  finder('ass-'),
  finder('İsß'),
  finder('a.c'),
  finder('@[x'),
  finder('\ud83d\ude00z'),
];

describe('the scanner for secrets', () => {
  it('finds the same in a short text as at the beginning of a long one', () => {
    const scan = createScanner(FINDERS);
    const pieces = [
      'key=',
      'KEY=',
      'pass',
      'Pass-',
      'ass-',
      'İsß',
      'i̇sß',
      'a.c',
      'abc',
      '@[x',
      '`{X',
      '\ud83d\ude00z',
      'ab1',
      ' ',
      '\n',
      'k',
      'e',
    ];
    let found = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), {maxLength: 12}), (words) => {
        const text = words.join('');
        const short = scan(text);
        found += short.length;
        expect(short).toEqual(scan(`${text}\n${' '.repeat(5000)}`));
      }),
      {numRuns: 1000, seed: 1},
    );
    expect(found).toBeGreaterThan(500);
  });

  it('finds nothing without finders', () => {
    expect(createScanner([])('key=x')).toEqual([]);
  });
});
