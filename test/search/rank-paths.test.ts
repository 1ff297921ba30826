import {describe, expect, it} from 'vitest';
import {rankPaths} from '../../src/search/rank-paths.ts';

const never = new AbortController().signal;
const PATHS = [
  'src/',
  'src/session/',
  'src/session/open-thread.ts',
  'src/hosts/tui/open-fettle-session.ts',
  'docs/session.md',
  'README.md',
  'a/b/c/d/e.ts',
];

describe('rankPaths', () => {
  it.each([
    ['session', ['src/session/', 'docs/session.md', 'src/hosts/tui/open-fettle-session.ts', 'src/session/open-thread.ts']],
    ['ofs', ['src/hosts/tui/open-fettle-session.ts']],
    ['READ', ['README.md', 'src/session/open-thread.ts']],
    ['src/s', ['src/session/', 'src/session/open-thread.ts', 'src/hosts/tui/open-fettle-session.ts']],
    ['', ['README.md', 'src/']],
    ['zzz', []],
  ])('%j', async (query, best) => {
    const found = await rankPaths(PATHS, {query, limit: query === '' ? 2 : 10}, never);
    expect(found).toEqual(best);
  });

  it('is cancelled between pieces of a large list', async () => {
    const stop = new AbortController();
    const ranking = rankPaths(
      Array.from({length: 100_000}, (_, index) => `folder-${index % 100}/file-${index}.ts`),
      {query: 'file', limit: 10},
      stop.signal,
    );
    stop.abort();
    await expect(ranking).rejects.toMatchObject({code: 'CANCELLED'});
  });

  it('tells of every path that fits, also of those that are not among the best: a longer query needs to look at no other', async () => {
    const paths = Array.from({length: 500}, (_, index) => (index % 2 === 0 ? `even-${index}` : `odd-${index}`));
    const fitting: string[] = [];
    await rankPaths(paths, {query: 'ev', limit: 1, onFit: (path) => void fitting.push(path)}, never);
    expect(fitting).toEqual(paths.filter((path) => path.startsWith('even')));
  });
});
