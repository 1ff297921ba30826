import {describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {entryLines} from '../../../../src/hosts/tui/views/entry-lines.ts';

const shown = (rows: number, isWhole = false) => {
  const text = Array.from({length: rows}, (_, at) => `row ${at + 1}`).join('\n');
  return entryLines({kind: 'user', text}, {width: 40, now: 0, isWhole}).map(plainText);
};

describe('a long prompt', () => {
  it.each([
    [20, false, [20, '  row 20']],
    [21, false, [13, '  … 9 more rows · Ctrl-O shows all']],
    [5000, false, [13, '  … 4988 more rows · Ctrl-O shows all']],
    [5000, true, [5000, '  row 5000']],
  ])('of %i rows, whole %s', (rows, isWhole, expected) => {
    const lines = shown(rows, isWhole);
    expect([lines.length, lines.at(-1)]).toEqual(expected);
  });
});
