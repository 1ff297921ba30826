import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {fitsParts, fitsPattern, patternParts, patternsOverlap} from '../../src/policy/pattern.ts';

const text = fc.string({unit: fc.constantFrom('a', 'b', '/', ' '), maxLength: 8});
const pattern = fc.string({unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8});

describe('fitsPattern', () => {
  it('agrees with a regular expression, taken apart or not', () => {
    fc.assert(
      fc.property(pattern, text, (one, other) => {
        const expression = new RegExp(`^${one.replaceAll('*', '[^]*')}$`);
        expect([fitsPattern(one, other), fitsParts(patternParts(one), other)]).toEqual([expression.test(other), expression.test(other)]);
      }),
    );
  });
});

describe('patternsOverlap', () => {
  it('is true for every text that fits both', () => {
    fc.assert(
      fc.property(pattern, pattern, text, (one, other, both) => {
        if (fitsPattern(one, both) && fitsPattern(other, both)) expect(patternsOverlap(one, other)).toBe(true);
      }),
    );
  });

  it('is false where no text fits both', () => {
    expect([
      patternsOverlap('a*b', 'c*'),
      patternsOverlap('*/.env', '/repo/src/*.ts'),
      patternsOverlap('', 'a*'),
      patternsOverlap('a', '**'),
    ]).toEqual([false, false, false, true]);
  });

  it('is the same both ways', () => {
    fc.assert(
      fc.property(pattern, pattern, (one, other) => {
        expect(patternsOverlap(one, other)).toBe(patternsOverlap(other, one));
      }),
    );
  });
});
