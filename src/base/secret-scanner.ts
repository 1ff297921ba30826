/** One way to find a secret: its first characters, and a closer look. */
export interface Finder {
  /** Three characters at least; capital letters count as small ones. */
  readonly begins: string;
  /** Returns the secret at `start`, where three characters match `begins`; undefined: none. `from` to `to` is replaced. */
  find(text: string, start: number): Found | undefined;
}

export interface Found {
  /** Start of the text that gives the secret away, such as the name it is assigned to. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

/**
 * Looks for any number of beginnings in one pass: the last three characters, folded to a number, show with one table look-up whether anything
 * begins there. Returns the finds in order, without overlaps. Linear in the text; a finder must be, too.
 */
export function createScanner(finders: readonly Finder[]): (text: string) => readonly Found[] {
  if (finders.length === 0) return () => [];
  const lists: Finder[][] = [[]];
  const listOf = new Uint16Array(BUCKETS);
  for (const finder of finders) {
    const hash = hashAt(finder.begins, 0);
    listOf[hash] ||= lists.push([]) - 1;
    lists[listOf[hash] ?? 0]?.push(finder);
  }
  const beginning = anyBeginning(finders);
  return (text) =>
    text.length < SHORT ? scanShort(text, beginning, (start) => lists[listOf[hashAt(text, start)] ?? 0] ?? []) : scan(text, listOf, lists);
}

/** Characters. Most texts of a session are as short; a loop over each of them would be compiled for megabytes of memory before it is of use. */
const SHORT = 4096;

/** Finds the same as {@link scan}. */
function scanShort(text: string, beginning: RegExp, findersAt: (start: number) => readonly Finder[]): readonly Found[] {
  const all: Found[] = [];
  let free = 0;
  beginning.lastIndex = 0;
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const found = findAt(text, match.index, findersAt(match.index));
    const isNew = found !== undefined && found.from >= free && found.to > found.from;
    if (isNew) all.push(found);
    if (isNew) free = found.to;
    beginning.lastIndex = isNew ? found.to : match.index + 1;
  }
  return all;
}

/** Matches wherever any finder could find something. */
function anyBeginning(finders: readonly Finder[]): RegExp {
  const beginnings = new Set(finders.map(({begins}) => begins.slice(0, WINDOW)));
  return new RegExp([...beginnings].map((begins) => RegExp.escape(begins)).join('|') || '(?!)', 'gi');
}

function scan(text: string, listOf: Uint16Array, lists: readonly (readonly Finder[])[]): readonly Found[] {
  const all: Found[] = [];
  let first = WINDOW - 1;
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    hash = next(hash, text.charCodeAt(at));
    const list = listOf[hash] ?? 0;
    if (list === 0 || at < first) continue;
    const found = findAt(text, at - WINDOW + 1, lists[list] ?? []);
    if (found === undefined || found.from < first - WINDOW + 1 || found.to <= found.from) continue;
    all.push(found);
    // Found secrets are not read again.
    first = found.to + WINDOW - 1;
    at = Math.max(at, found.to - 1);
  }
  return all;
}

/** The text with the finds replaced. */
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

function hashAt(text: string, start: number): number {
  return next(next(next(0, text.charCodeAt(start)), text.charCodeAt(start + 1)), text.charCodeAt(start + 2));
}

/** The oldest of the three characters is shifted out of the 15 bits by the fourth. Capital letters become small ones, a few signs others. */
function next(hash: number, code: number): number {
  return ((hash << 5) ^ (code | 32)) & (BUCKETS - 1);
}

function findAt(text: string, start: number, finders: readonly Finder[]): Found | undefined {
  for (const finder of finders) {
    const found = finder.find(text, start);
    if (found !== undefined) return found;
  }
  return undefined;
}
