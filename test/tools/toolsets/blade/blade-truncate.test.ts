import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {shortenJson} from '../../../../src/tools/output/shorten-json.ts';
import {shortenBlade} from '../../../../src/tools/toolsets/blade/blade-truncate.ts';

const BOUND = {maxBytes: 4000, maxLines: 2000};
const WHOLE = 'the whole text is in /spool/out.txt';

describe('zblade tool calls › Result truncation: any text', () => {
  it('fits its bound, says where the whole is, and cuts no character in two', () => {
    const line = fc.oneof(fc.string({unit: 'grapheme', maxLength: 300}), fc.constant('x'.repeat(5000)));
    fc.assert(
      fc.property(fc.array(line, {maxLength: 60}), (lines) => {
        const text = ['start', ...lines, 'y'.repeat(4000)].join('\n');
        const shown = shortenBlade(text, BOUND, WHOLE);
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(BOUND.maxBytes);
        expect(shown).toContain(WHOLE);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });
  it('that is JSON stays JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({minLength: 1}), fc.jsonValue({maxDepth: 3})),
        fc.array(fc.string({maxLength: 900}), {minLength: 20, maxLength: 200}),
        (value, results) => {
          const shown = shortenJson(JSON.stringify({...value, results}), BOUND.maxBytes, WHOLE);
          expect(JSON.parse(shown)).toMatchObject({truncated: true, truncation: WHOLE});
          expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(BOUND.maxBytes);
        },
      ),
    );
  });
});
