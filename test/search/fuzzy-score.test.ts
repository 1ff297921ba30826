import {describe, expect, it} from 'vitest';
import {fuzzyScore} from '../../src/search/fuzzy-score.ts';

describe('fuzzyScore', () => {
  it.each([
    [
      'best at the beginning of a name, then within it, then in a folder, then apart',
      'date',
      ['src/date.ts', 'src/update.ts', 'date/src.ts', 'd/a/t/e.ts'],
    ],
    ['a word of a name counts before the middle of one', 'session', ['open-session.ts', 'opensession.ts']],
    ['the shorter one of two that fit alike', 'a', ['a.ts', 'a-longer-name.ts']],
  ])('%s', (_, wanted, best) => {
    const byScore = best.toSorted((a, b) => (fuzzyScore(b, wanted) ?? 0) - (fuzzyScore(a, wanted) ?? 0));
    expect(byScore).toEqual(best);
  });

  it('undefined where the characters are not in it in this order', () => {
    expect([fuzzyScore('src/date.ts', 'etad'), fuzzyScore('', 'a'), fuzzyScore('A', 'a') === undefined]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });
});
