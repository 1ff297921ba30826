/**
 * Offsets of all occurrences, also overlapping ones, in time linear in both texts (Knuth, Morris, Pratt 1977).
 * `String.indexOf` is quadratic on repetitive text: seconds for half a megabyte.
 */
export function findAll(text: string, wanted: string): number[] {
  return Array.from(occurrences(text, wanted, 0));
}

/** The offsets that a replacement of all occurrences takes: of those that overlap, the first. */
export function withoutOverlaps(found: readonly number[], length: number): number[] {
  let free = 0;
  return found.filter((at) => {
    if (at < free) return false;
    free = at + length;
    return true;
  });
}

/** Offset of the first occurrence at or after `from`; undefined: there is none. Linear, too. */
export function findFirst(text: string, wanted: string, from: number): number | undefined {
  for (const at of occurrences(text, wanted, from)) return at;
  return undefined;
}

function* occurrences(text: string, wanted: string, from: number): Generator<number, void> {
  if (wanted === '') return;
  const fallback = fallbackTable(wanted);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = fallback[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched++;
    if (matched < wanted.length) continue;
    yield at + 1 - matched;
    matched = fallback[matched - 1] ?? 0;
  }
}

/** For each prefix of the wanted text: the length of its longest proper prefix that is also its suffix. */
function fallbackTable(wanted: string): Int32Array {
  const table = new Int32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (length > 0 && wanted.charCodeAt(length) !== wanted.charCodeAt(at)) length = table[length - 1] ?? 0;
    if (wanted.charCodeAt(length) === wanted.charCodeAt(at)) length++;
    table[at] = length;
  }
  return table;
}
