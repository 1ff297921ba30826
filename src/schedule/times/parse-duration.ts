const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|secs?|seconds?)$/, 1],
  [/^(?:m|mins?|minutes?)$/, 60],
  [/^(?:h|hrs?|hours?)$/, 3600],
  [/^(?:d|days?)$/, 86_400],
  [/^(?:w|weeks?)$/, 604_800],
];

/** Ten years: what is longer is a slip of the hand. */
const MOST_SECONDS = 10 * 366 * 86_400;

const PART = String.raw`(\d{1,9}(?:\.\d{1,3})?|an?\s|half\s+an?\s)?\s*([a-z]+)`;

/**
 * Reads a span of time: `90s`, `2h`, `1h30m`, `2 hours`, `1 hour and 30 minutes`, `an hour`, `half an hour`, and a unit alone, as in "every
 * day". Returns seconds, rounded, or undefined for anything else: a number without a unit, a unit twice or out of order, more than ten years.
 */
export function parseDuration(text: string): number | undefined {
  const plain = text.trim().toLowerCase();
  if (plain.length > 60 || !new RegExp(`^${PART}(?:(?:\\s*,)?(?:\\s+and)?\\s*${NUMBERED})*$`).test(plain)) return undefined;
  let total = 0;
  let smallest = Infinity;
  for (const [, number, unit] of plain.replaceAll(/,|\band\b/g, ' ').matchAll(new RegExp(PART, 'g'))) {
    const seconds = UNITS.find(([name]) => name.test(unit ?? ''))?.[1];
    if (seconds === undefined || seconds >= smallest) return undefined;
    smallest = seconds;
    total += countOf(number) * seconds;
  }
  return total <= MOST_SECONDS ? Math.round(total) : undefined;
}

/** Only the first part may do without a number. */
const NUMBERED = String.raw`\d{1,9}(?:\.\d{1,3})?\s*[a-z]+`;

function countOf(number: string | undefined): number {
  if (number === undefined) return 1;
  if (number.startsWith('half')) return 0.5;
  return number.startsWith('a') ? 1 : Number(number);
}
