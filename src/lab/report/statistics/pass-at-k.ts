/**
 * The chance that at least one of `k` attempts passes, estimated from `attempts` of which `passed` did: 1 − C(n−c, k) / C(n, k), which has no
 * bias for k ≤ n (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", section 2.1). undefined where there are fewer than `k`
 * attempts.
 */
export function passAtK(attempts: number, passed: number, k: number): number | undefined {
  if (attempts < k) return undefined;
  if (attempts - passed < k) return 1;
  // The quotient of the binomials as a product: neither of them is ever written out.
  let none = 1;
  for (let at = attempts - passed + 1; at <= attempts; at += 1) none *= 1 - k / at;
  return 1 - none;
}
