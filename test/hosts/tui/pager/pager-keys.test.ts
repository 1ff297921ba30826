import {describe, expect, it} from 'vitest';
import {answered} from '../../../screen/events.ts';
import {play, typed, type Move} from '../model/play.ts';

describe('the pager', () => {
  const LONG = play(Array.from({length: 20}, (_, at) => answered(`answer ${at}\n\n${'word\n\n'.repeat(4)}`, `a${at}`))).state;
  const at = (...moves: readonly Move[]) => {
    const {overlay} = play(['ctrl+o', ...moves], LONG).state;
    return overlay?.type === 'pager' ? [overlay.entry, overlay.skip] : overlay;
  };

  it.each<[readonly Move[], readonly number[]]>([
    [[], [19, 0]],
    [['g'], [0, 0]],
    [
      ['g', 'down'],
      [0, 1],
    ],
    [
      ['g', 'down', 'up', 'up'],
      [0, 0],
    ],
    [
      ['home', 'pagedown', 'pageup'],
      [0, 0],
    ],
    [
      ['g', '/', ...typed('answer 7'), 'enter'],
      [7, 1],
    ],
    [
      ['g', '/', ...typed('answer 1'), 'enter', 'n', 'n'],
      [11, 1],
    ],
    [
      ['g', '/', ...typed('answer 1'), 'enter', 'N'],
      [19, 1],
    ],
  ])('%j stands at %j', (moves, place) => {
    expect(at(...moves)).toEqual(place);
  });

  it.each([
    ['what is shown, whatever its case', 'ANSWER 3', [3, 1]],
    ['not how an entry is kept', '"kind"', [0, 0]],
    ['not what Markdown leaves out', '\\n', [0, 0]],
  ])('searches %s', (_, query, place) => {
    expect(at('g', '/', ...typed(query), 'enter')).toEqual(place);
  });

  it('finds every row of an entry that has the text, upwards as well', () => {
    const search = ['g', '/', ...typed('word'), 'enter'];
    expect([at(...search), at(...search, 'n'), at(...search, 'n', 'N'), at(...search, 'N')]).toEqual([
      [0, 2],
      [0, 4],
      [0, 2],
      [19, 9],
    ]);
  });

  it.each([['q'], ['escape'], ['ctrl+o'], ['/', 'q', 'escape', 'escape']])('%j leaves it', (...moves) => {
    expect(at(...moves)).toBe(undefined);
  });
});
