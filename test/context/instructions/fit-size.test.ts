import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {firstBytes, fitInstructions} from '../../../src/context/instructions/fit-size.ts';

const one = (path: string, text: string) => ({path, scope: 'project', text}) as const;

describe('fitInstructions: the most specific survives (VT Code: "most specific workspace rules are the ones cut off", its fault)', () => {
  it('cuts the weakest first, at the end of a line', () => {
    const texts = [one('user', 'gone'), one('root', 'line one\nline two\n'), one('near', 'x'.repeat(10))];
    expect(fitInstructions(texts, 20)).toEqual({
      kept: [one('root', 'line one'), one('near', 'x'.repeat(10))],
      cuts: ['user: left out', 'root: only the first 8 of 18 bytes'],
    });
    expect(fitInstructions(texts, 100)).toEqual({kept: texts, cuts: []});
  });

  it('never more than the bound; whoever is kept whole has nobody stronger cut (property)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({unit: 'grapheme', minLength: 1, maxLength: 40}).map((text) => one('p', text))),
        fc.nat(100),
        (texts, most) => {
          const {kept, cuts} = fitInstructions(texts, most);
          expect(kept.reduce((sum, {text}) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(most);
          const whole = texts.length - cuts.length;
          expect(whole === 0 ? [] : kept.slice(-whole)).toEqual(whole === 0 ? [] : texts.slice(-whole));
        },
      ),
    );
  });

  it('beginning keeps whole characters', () => {
    expect([firstBytes('äöü\nab', 7), firstBytes('äöü\nab', 6), firstBytes('ab\nc', 3)]).toEqual(['äöü', '', 'ab']);
  });
});
