import {distance} from 'fastest-levenshtein';

/** The known word that a mistyped one most likely means; undefined if none is near. Case does not count. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const [nearest] = known.map((other) => ({other, away: wordDistance(word, other)})).sort((a, b) => a.away - b.away);
  return nearest !== undefined && isNear(word, nearest.away) ? nearest.other : undefined;
}

/** Letters to change, add or remove; swapped letters are the most likely typo. */
export function wordDistance(word: string, other: string): number {
  const [a, b] = [word.toLowerCase(), other.toLowerCase()];
  if (a === b) return 0;
  const letters = (text: string): string => text.split('').sort().join('');
  return letters(a) === letters(b) ? 0.5 : distance(a, b);
}

export function isNear(word: string, away: number): boolean {
  return away <= Math.max(2, Math.floor(word.length / 3));
}
