import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {centrality} from '../../../src/code/overview/centrality.ts';

describe('centrality', () => {
  it('what everybody uses comes first, then what that uses', () => {
    const ranks = centrality([[2], [2], [3], [], [2]]);
    const order = [...ranks.keys()].toSorted((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0));
    expect(order.slice(0, 2)).toEqual([3, 2]);
    expect(ranks[0]).toBe(ranks[1]);
  });

  it('is nothing for no files', () => {
    expect(centrality([])).toEqual([]);
  });

  it('shares add up to 1, whatever uses what (PageRank, Brin and Page 1998)', () => {
    const graphs = fc
      .integer({min: 1, max: 30})
      .chain((count) => fc.array(fc.uniqueArray(fc.nat(count - 1)), {minLength: count, maxLength: count}));
    fc.assert(
      fc.property(graphs, (uses) => {
        const ranks = centrality(uses);
        expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 6);
        expect(ranks.every((rank) => rank > 0)).toBe(true);
      }),
    );
  });
});
