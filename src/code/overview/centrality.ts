/**
 * How much of a project leans on each file, as shares of 1: PageRank (Brin and Page 1998, damping 0.85) over "uses". What many important
 * files use is important. `uses[i]` are the places of the files that file i uses.
 */
export function centrality(uses: readonly (readonly number[])[]): readonly number[] {
  const count = uses.length;
  if (count === 0) return [];
  let ranks = new Float64Array(count).fill(1 / count);
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(count);
    let resting = 0;
    for (const [from, targets] of uses.entries()) {
      const rank = ranks[from] ?? 0;
      if (targets.length === 0) resting += rank;
      for (const target of targets) next[target] = (next[target] ?? 0) + rank / targets.length;
    }
    const base = (1 - DAMPING + DAMPING * resting) / count;
    ranks = next.map((rank) => base + DAMPING * rank);
  }
  return [...ranks];
}

const DAMPING = 0.85;
/** The error shrinks by the damping each round: 0.85^30 is below 1 %. */
const ROUNDS = 30;
