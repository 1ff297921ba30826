import {describe, expect, it} from 'vitest';
import type {ColourDepth} from '../../../../src/hosts/tui/themes/color-depth.ts';
import {reduceColour, reduceLook} from '../../../../src/hosts/tui/themes/reduce-colour.ts';
import type {Colour} from '../../../../src/hosts/tui/cells/look.ts';

describe('colours for the terminal that there is', () => {
  it.each<[Colour, ColourDepth, Colour | undefined]>([
    ['#ff8700', 'true', '#ff8700'],
    ['#ff8700', '256', 208],
    ['#ff8600', '256', 208],
    ['#808080', '256', 244],
    ['#ff0000', '16', 9],
    ['#00ffff', '16', 14],
    ['#010101', '16', 0],
    ['#fefefe', '16', 15],
    [208, 'true', 208],
    [208, '256', 208],
    [196, '16', 9],
    [21, '16', 4],
    [232, '16', 0],
    [3, '16', 3],
    [3, '256', 3],
    [3, 'none', undefined],
    ['#ff0000', 'none', undefined],
  ])('%s with %s colours is %s', (colour, depth, expected) => {
    expect(reduceColour(colour, depth)).toBe(expected);
  });

  it('attributes stay', () => {
    expect(reduceLook({fg: '#ff0000', bg: 3, bold: true, inverse: true}, 'none')).toEqual({bold: true, inverse: true});
  });
});
