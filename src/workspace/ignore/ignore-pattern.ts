import {foldCase} from './byte-text.ts';
import {compileWildmatch} from './wildmatch.ts';

/** One line of an ignore file. Names and paths are byte texts. */
export interface IgnorePattern {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** True for a pattern without `/`, which matches the name alone, at every depth. */
  readonly name: NamePattern | undefined;
  readonly path: PathPattern | undefined;
}

export interface NamePattern {
  /** Set if a table lookup is enough: the exact name, or the ending after the last dot (`*.log`). */
  readonly exact: string | undefined;
  readonly extension: string | undefined;
  matches(name: string): boolean;
}

export interface PathPattern {
  /** False: nothing directly in that folder (`''` or `a/b/`) can match. */
  reaches(folder: string): boolean;
  /** False: nothing in or below that folder can match. */
  leadsTo(folder: string): boolean;
  /** Path relative to the folder of the ignore file. */
  matches(path: string): boolean;
}

/**
 * Parses a line as git does (gitignore(5), dir.c): comments, `!`, trailing blanks, `/` at the end or inside.
 * Undefined for lines without a pattern. The line is a byte text without its line feed.
 */
export function parseIgnoreLine(line: string, ignoreCase: boolean): IgnorePattern | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const withoutReturn = line.endsWith('\r') ? line.slice(0, -1) : line;
  const ended = withoutReturn.split('\0', 1)[0] ?? '';
  return parsePattern(trimTrailingSpaces(ended), ignoreCase);
}

function parsePattern(text: string, ignoreCase: boolean): IgnorePattern {
  const negated = text.startsWith('!');
  const positive = negated ? text.slice(1) : text;
  const directoryOnly = positive.endsWith('/');
  const body = (directoryOnly ? positive.slice(0, -1) : positive).replace(ANYWHERE, '');
  const isName = !body.includes('/');
  return {
    negated,
    directoryOnly,
    name: isName ? namePattern(body, ignoreCase) : undefined,
    path: isName ? undefined : pathPattern(body.startsWith('/') ? body.slice(1) : body, ignoreCase),
  };
}

/** Drops the blanks at the end, but not one that a backslash protects. */
function trimTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === ' ') continue;
    end = at + 1;
  }
  return line.slice(0, end);
}

function namePattern(body: string, ignoreCase: boolean): NamePattern {
  if (body === '') return {exact: undefined, extension: undefined, matches: () => false};
  if (!ignoreCase && !SPECIAL.test(body)) return {exact: body, extension: undefined, matches: (name) => name === body};
  const ending = body.slice(1);
  if (!ignoreCase && body.startsWith('*') && !SPECIAL.test(ending)) {
    const isExtension = ending.startsWith('.') && !ending.includes('.', 1);
    return {exact: undefined, extension: isExtension ? ending : undefined, matches: (name) => name.endsWith(ending)};
  }
  const {matches} = compileWildmatch(body, {pathname: false, ignoreCase});
  return {exact: undefined, extension: undefined, matches: ignoreCase ? (name) => matches(foldCase(name)) : matches};
}

/** git compares the part before the first special character literally; two stars right after it count as the start of a pattern. */
function pathPattern(body: string, ignoreCase: boolean): PathPattern {
  const special = body.search(SPECIAL);
  const plain = special < 0 ? body : body.slice(0, special);
  const prefix = ignoreCase ? foldCase(plain) : plain;
  const rest = compileWildmatch(body.slice(prefix.length), {pathname: true, ignoreCase});
  const fold = ignoreCase ? foldCase : (text: string) => text;
  const slashes = rest.slashes === undefined ? undefined : rest.slashes + countSlashes(prefix);
  const isOnWay = (folder: string): boolean => (folder.length < prefix.length ? prefix.startsWith(folder) : folder.startsWith(prefix));
  return {
    reaches: (folder) => (slashes === undefined || countSlashes(folder) === slashes) && isOnWay(fold(folder)),
    leadsTo: (folder) => (slashes === undefined || countSlashes(folder) <= slashes) && isOnWay(fold(folder)),
    matches(path) {
      const folded = fold(path);
      return folded.startsWith(prefix) && rest.matches(folded.slice(prefix.length));
    },
  };
}

// Two stars, a slash and a name mean the same as the name alone, which is matched faster.
const ANYWHERE = /^\/?\*\*\/(?=[^/]+$)/;
const SPECIAL = /[*?[\\]/;

function countSlashes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) count++;
  return count;
}
