import {beforeAll, describe, expect, it} from 'vitest';
import {hunksOf} from '../../../../src/text/diff/hunks.ts';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {loadDiff} from '../../../../src/hosts/tui/views/diff/load-diff.ts';
import {entryLines} from '../../../../src/hosts/tui/views/entry-lines.ts';
import * as send from '../../../screen/events.ts';
import {drawn, play, type Move} from '../model/play.ts';

beforeAll(loadDiff);

const numbered = (changed: readonly number[]) =>
  Array.from({length: 40}, (_, at) => (changed.includes(at) ? `new ${at}\n` : `old ${at}\n`)).join('');
const [BEFORE, AFTER] = [numbered([]), numbered([3, 30])];
const WRITE = ['t1', 'write', {path: 'a.txt', content: AFTER}] as const;
const ASKED: readonly Move[] = [
  send.called(...WRITE),
  send.approval({
    id: 't1:call',
    tool: 'write',
    rules: [],
    diffs: [{path: 'a.txt', before: BEFORE, after: AFTER, hunks: hunksOf(BEFORE, AFTER)}],
  }),
  drawn,
  300,
];

describe('a file that is written over', () => {
  it.each<[string, readonly Move[]]>([
    ['is shown as what changes of it', ['y']],
    ['of which changes were left out is shown without them', ['h', 'n', 'y', 'enter']],
    ['is shown with nothing where it was denied', ['n']],
  ])('%s', (_, moves) => {
    const outcome = moves[0] === 'n' ? 'denied' : 'success';
    const {entries} = play([
      ...ASKED,
      ...moves,
      send.ran(...WRITE, outcome),
      send.output('t1', 'Replaced', 'Replaced a.txt (9 bytes).'),
    ]).state;
    const [entry] = entries;
    const lines = entry === undefined ? [] : entryLines(entry, {width: 60, now: 0, isWhole: false});
    expect(lines.map(plainText)).toMatchSnapshot();
  });

  it('that nobody was asked about is not told as lines that are new', () => {
    const {entries} = play([send.called(...WRITE), send.ran(...WRITE), send.output('t1', 'Replaced', 'Replaced a.txt (9 bytes).')]).state;
    const [entry] = entries;
    const lines = entry === undefined ? [] : entryLines(entry, {width: 60, now: 0, isWhole: false});
    expect(lines.map(plainText)[0]).toBe('● Write a.txt  replaced, lines: 40  1.2 s');
  });
});
