import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cellWidth} from '../../../../src/hosts/tui/cells/cell-width.ts';
import {truncateToWidth} from '../../../../src/hosts/tui/cells/truncate-to-width.ts';

describe('cutText', () => {
  it('keeps the beginning, the end, or two thirds and one third', () => {
    const cut = (['start', 'end', 'both'] as const).map((kept) => truncateToWidth('0123456789', 7, kept));
    expect(cut).toEqual(['012345…', '…456789', '0123…89']);
  });

  it('cuts no wide character in half, and leaves what fits', () => {
    expect([
      truncateToWidth('宽宽宽', 4, 'start'),
      truncateToWidth('宽宽宽', 4, 'end'),
      truncateToWidth('宽宽', 4, 'both'),
      truncateToWidth('ab', 1, 'end'),
      truncateToWidth('ab', 0, 'end'),
    ]).toEqual(['宽…', '…宽', '宽宽', '…', '']);
  });

  it('is never wider than it may be', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}), fc.nat(40), fc.constantFrom('start', 'end', 'both'), (text, width, kept) => {
        expect(cellWidth(truncateToWidth(text, width, kept))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
