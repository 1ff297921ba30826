import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cellWidth} from '../../../../src/hosts/tui/cells/cell-width.ts';
import {cutText} from '../../../../src/hosts/tui/cells/cut-text.ts';

describe('cutText', () => {
  it('keeps the beginning, the end, or two thirds and one third', () => {
    const cut = (['start', 'end', 'both'] as const).map((kept) => cutText('0123456789', 7, kept));
    expect(cut).toEqual(['012345…', '…456789', '0123…89']);
  });

  it('cuts no wide character in half, and leaves what fits', () => {
    expect([
      cutText('宽宽宽', 4, 'start'),
      cutText('宽宽宽', 4, 'end'),
      cutText('宽宽', 4, 'both'),
      cutText('ab', 1, 'end'),
      cutText('ab', 0, 'end'),
    ]).toEqual(['宽…', '…宽', '宽宽', '…', '']);
  });

  it('is never wider than it may be', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}), fc.nat(40), fc.constantFrom('start', 'end', 'both'), (text, width, kept) => {
        expect(cellWidth(cutText(text, width, kept))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
