import {describe, expect, it} from 'vitest';
import {plainEntryLines} from '../../../../src/hosts/tui/views/plain-entry.ts';

const TEXT = Array.from({length: 20}, (_, row) => `${row}`).join('\n');
const shown = (keeps: 'start' | 'end' | undefined, isWhole: boolean, isRunning = false): readonly string[] =>
  plainEntryLines({kind: 'plain', text: TEXT, keeps, isRunning}, {width: 40, now: 0, isWhole}).map((line) =>
    line.map(({text}) => text).join(''),
  );

describe('a text of the screen', () => {
  it('a long one keeps one end in the conversation, and all of it in the pager', () => {
    const rows = TEXT.split('\n');
    expect(shown('start', false)).toEqual([...rows.slice(0, 12), '… 8 more rows · Ctrl-O shows all']);
    expect(shown('end', false)).toEqual(['… 8 more rows · Ctrl-O shows all', ...rows.slice(-12)]);
    expect(shown('end', false, true)).toEqual(rows.slice(-6));
    expect([shown('start', true), shown(undefined, false)]).toEqual([rows, rows]);
  });
});
