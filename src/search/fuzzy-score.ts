/**
 * Scores how well the characters of a query fit a path or a name: higher is better, undefined if they are not in it in this order. Searches
 * from the end, so that the name of a file counts before its folders. `wanted` is in lower case and without blanks.
 */
export function fuzzyScore(path: string, wanted: string): number | undefined {
  const text = path.toLowerCase();
  const name = text.lastIndexOf('/', text.length - 2) + 1;
  const together = text.lastIndexOf(wanted);
  if (together >= 0) return TOGETHER + (together >= name ? IN_NAME : 0) + startBonus(path, together) - text.length / 100;
  let score = 0;
  let at = text.length;
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    const found = text.lastIndexOf(wanted[index] ?? '', at - 1);
    if (found < 0 || at === 0) return undefined;
    score += (found === at - 1 && index < wanted.length - 1 ? ADJACENT : 0) + startBonus(path, found) / 4 + (found >= name ? 1 : 0);
    at = found;
  }
  return score - text.length / 100;
}

const TOGETHER = 100;
const IN_NAME = 40;
const ADJACENT = 4;
const START = 20;

/** Scores the beginning of a name or of a word in it. */
function startBonus(path: string, at: number): number {
  const before = path[at - 1] ?? '/';
  if (before === '/') return START;
  return /[-_. ]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(path[at] ?? '')) ? START / 2 : 0;
}
