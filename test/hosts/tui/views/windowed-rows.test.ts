import {describe, expect, it} from 'vitest';
import {span} from '../../../../src/hosts/tui/cells/line.ts';
import {windowedRows} from '../../../../src/hosts/tui/views/windowed-rows.ts';
import {notation} from './notation.ts';

const ROWS = ['a', 'b', 'c', 'd', 'e'].map((text) => [span(text)]);
const shown = (first: number, room: number): string => notation(windowedRows(ROWS, {first, room, columns: 80}));

describe('rows in a window', () => {
  it('every row can be seen, the last one too', () => {
    expect([0, 1, 3, 99].map((first) => shown(first, 3))).toEqual([
      'a\nb\n{dim:rows 1 to 2 of 5 · PgUp, PgDn}',
      'b\nc\n{dim:rows 2 to 3 of 5 · PgUp, PgDn}',
      'd\ne\n{dim:rows 4 to 5 of 5 · PgUp, PgDn}',
      'd\ne\n{dim:rows 4 to 5 of 5 · PgUp, PgDn}',
    ]);
  });

  it('where one row is left it is none for the note', () => {
    expect([0, 2, 99].map((first) => shown(first, 1))).toEqual(['a', 'c', 'e']);
  });

  it('without need there is no note', () => {
    expect(shown(0, 5)).toBe('a\nb\nc\nd\ne');
  });
});
