/** Random numbers that a seed repeats: mulberry32. */
export interface Random {
  /** 0 ≤ n < below. */
  below(limit: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  chance(oneIn: number): boolean;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => next() % limit;
  return {
    below,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
    chance: (oneIn) => below(oneIn) === 0,
  };
}
