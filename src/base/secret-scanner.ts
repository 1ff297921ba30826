/** One way to find a secret: its first characters, and a closer look. */
export interface Finder {
  /** Three characters at least; capital letters count as small ones. */
  readonly begins: string;
  /** What stands at `start`; undefined: nothing. `from` to `to` is replaced. */
  find(text: string, start: number): Found | undefined;
}

export interface Found {
  /** Where that begins which tells that it is a secret: the name to which it is assigned. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

/**
 * Looks for any number of beginnings in one pass: the last three characters, folded to a number, tell with one look into a table whether
 * anything begins there. Gives what it finds in order, nothing twice. Linear in the text; a finder must be, too.
 */
export function createScanner(finders: readonly Finder[]): (text: string) => readonly Found[] {
  const table = new Map<number, Finder[]>();
  const bits = new Uint8Array(BUCKETS);
  for (const finder of finders) {
    let key = 0;
    for (let at = 0; at < WINDOW; at++) key = next(key, finder.begins.charCodeAt(at));
    bits[key] = 1;
    table.set(key, [...(table.get(key) ?? []), finder]);
  }
  return (text) => {
    const all: Found[] = [];
    let free = 0;
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = next(hash, text.charCodeAt(at));
      if (bits[hash] === 0 || at < free + WINDOW - 1) continue;
      const found = findAt(text, at - WINDOW + 1, table.get(hash) ?? []);
      if (found === undefined || found.from < free || found.to <= found.from) continue;
      all.push(found);
      free = found.to;
    }
    return all;
  };
}

/** The text with replacements in the place of what was found. */
export function replaceFound(text: string, all: readonly Found[]): string {
  let result = '';
  let copied = 0;
  for (const {from, to, replacement} of all) {
    result += text.slice(copied, from) + replacement;
    copied = to;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

const WINDOW = 3;
const BUCKETS = 1 << 15;

/** The oldest of the three characters is shifted out of the 15 bits by the fourth. */
function next(hash: number, code: number): number {
  return ((hash << 5) ^ (code >= 65 && code <= 90 ? code | 32 : code)) & (BUCKETS - 1);
}

function findAt(text: string, start: number, finders: readonly Finder[]): Found | undefined {
  for (const finder of finders) {
    const found = finder.find(text, start);
    if (found !== undefined) return found;
  }
  return undefined;
}
