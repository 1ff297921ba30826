/** Types that say nothing. */
export const EMPTY: ReadonlySet<string> = new Set(['undefined', 'null', 'void', 'never', 'any', 'unknown', 'object', 'var', 'auto']);

/** Alternatives, those left out that say nothing. */
export function alternatives(all: readonly (string | undefined)[], by: string): string | undefined {
  const words = new Set(all.filter((word): word is string => word !== undefined && !EMPTY.has(word)));
  return words.size === 0 ? undefined : [...words].map((word) => (words.size > 1 ? enclosed(word) : word)).join(by);
}

/** One step further: `typeof a` and `.b` give `typeof a.b`; a type becomes a value of it. */
export function further(words: string | undefined, step: string): string | undefined {
  if (words === undefined || step === '') return words;
  if (step === '[]' && isList(words)) return words.slice(0, -2);
  return words.startsWith('typeof ') ? words + step : `typeof (${words})${step}`;
}

/** `A[]` and `(A|B)[]`, whose elements can be told from the words alone. */
export function isList(words: string): boolean {
  return words.endsWith('[]') && !words.startsWith('typeof ') && (!/[|&;]/u.test(words) || /^\([^()]*\)\[\]$/u.test(words));
}

/** A list of them; of the type of a value that is not known. */
export function arrayOf(words: string | undefined): string | undefined {
  if (words === undefined) return undefined;
  return words.startsWith('typeof ') ? undefined : words.includes('|') || words.startsWith('(') ? `(${words})[]` : `${words}[]`;
}

function enclosed(words: string): string {
  return words.startsWith('(') || words.startsWith('typeof ') ? `(${words})` : words;
}

/** `?` for what has no members of its own here. */
export function plainOr(words: string | undefined): string {
  return words === undefined || PRIMITIVES.has(words) ? '?' : words;
}

const PRIMITIVES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'symbol', 'bigint', 'string[]', 'number[]']);
