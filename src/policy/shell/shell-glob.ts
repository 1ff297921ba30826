import {charge} from '../budget.ts';

/** Interpreter of the glob characters of a path: none, the shell alone, or one whose stars may match anything. */
export type GlobReader = 'none' | 'shell' | 'any';

/**
 * Returns true if bash, with default options, may expand `glob` to a name that matches `pattern`: `*`, `?` and `[…]` stay within one name and
 * never match its leading dot (bash › Filename Expansion). In `pattern` a star matches any text. A bracket matches any character here, so the
 * answer errs towards true.
 */
export function globMatches(pattern: string, glob: string): boolean {
  if (pattern.length > MAX_LENGTH || glob.length > MAX_LENGTH) return true;
  const same = sameLiterals(pattern, glob);
  charge(same / LITERALS_A_STEP);
  if (isLiteral(pattern[same]) && isLiteral(glob[same])) return false;
  // Folders that are spelled the same in both, as most are, need no comparison of every position with every other.
  const folders = glob.slice(0, same).lastIndexOf('/') + 1;
  const tokens = tokensOf(glob.slice(folders));
  charge(((pattern.length - folders) * tokens.length) / CELLS_A_STEP);
  let reached = reachedFrom(new Set([0]), tokens);
  for (const char of pattern.slice(folders)) {
    reached = char === '*' ? anyText(reached, tokens) : afterChar(reached, tokens, char);
    if (reached.size === 0) return false;
  }
  return reached.has(tokens.length);
}

/** Returns the length of the beginning that both have in common and in which no character has a special meaning. */
function sameLiterals(pattern: string, glob: string): number {
  let at = 0;
  while (pattern[at] === glob[at] && isLiteral(glob[at])) at += 1;
  return at;
}

/** False at the end of the text, too. A backslash stands for itself: quotes were resolved before. */
function isLiteral(char: string | undefined): boolean {
  return char !== undefined && !hasGlob(char);
}

/** Returns the names among `names` that one part of a glob between slashes may match. */
export function fittingNames(part: string, names: readonly string[]): readonly string[] {
  charge(names.length / NAMES_A_STEP);
  const source = tokensOf(part).map((token) => EXPRESSIONS[token] ?? escaped(token));
  const expression = new RegExp(`^${source.join('')}$`, 'su');
  return names.filter((name) => expression.test(name));
}

/** True for text with a glob character. */
export function hasGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

const MAX_LENGTH = 1024;
const CELLS_A_STEP = 40;
const LITERALS_A_STEP = 400;
const NAMES_A_STEP = 20;

/** A character of its own, or one of these: any text, any text that begins a name, any character, any character that begins a name. */
type Token = string;
const [ANY, ANY_FIRST, ONE, ONE_FIRST] = ['any', 'any-first', 'one', 'one-first'] as const;

const EXPRESSIONS: Readonly<Record<Token, string>> = {
  [ANY]: '[^/]*?',
  [ANY_FIRST]: '(?:[^/.][^/]*?)?',
  [ONE]: '[^/]',
  [ONE_FIRST]: '[^/.]',
};

function tokensOf(glob: string): Token[] {
  const tokens: Token[] = [];
  for (const [part] of glob.matchAll(/\*+|\?|\[[!^]?\]?[^\]/]*\]|[^]/gu)) {
    const begins = tokens.length === 0 || tokens.at(-1) === '/';
    if (part.startsWith('*')) tokens.push(begins ? ANY_FIRST : ANY);
    else if (part === '?' || part.length > 2) tokens.push(begins ? ONE_FIRST : ONE);
    else tokens.push(part);
  }
  return tokens;
}

function escaped(char: string): string {
  return char.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A position is the number of tokens consumed; a star that has begun is its index and a half. */
type Positions = ReadonlySet<number>;

/** Adds the positions after stars that match nothing more. */
function reachedFrom(positions: Positions, tokens: readonly Token[]): Positions {
  const all = new Set(positions);
  for (const at of all) {
    if (!Number.isInteger(at)) all.add(Math.ceil(at));
    else if (tokens[at] === ANY || tokens[at] === ANY_FIRST) all.add(at + 1);
  }
  return all;
}

function afterChar(positions: Positions, tokens: readonly Token[], char: string): Positions {
  const next = new Set<number>();
  for (const at of positions) {
    const to = step(at, tokens, char);
    if (to !== undefined) next.add(to);
  }
  return reachedFrom(next, tokens);
}

/** Returns the position after one character of the pattern; undefined if it does not fit. */
function step(at: number, tokens: readonly Token[], char: string): number | undefined {
  const token = Number.isInteger(at) ? tokens[at] : ANY;
  const length = STEPS[token ?? ''];
  if (length === undefined) return token === char ? at + 1 : undefined;
  if (char === '/' || (char === '.' && (token === ANY_FIRST || token === ONE_FIRST))) return undefined;
  return Number.isInteger(at) ? at + length : at;
}

/** The positions that one character reaches in a token that matches several. */
const STEPS: Readonly<Record<Token, number>> = {[ANY]: 0.5, [ANY_FIRST]: 0.5, [ONE]: 1, [ONE_FIRST]: 1};

/** A star of the pattern accepts whatever the glob becomes: every position after the first one is reached. */
function anyText(positions: Positions, tokens: readonly Token[]): Positions {
  const all = new Set(positions);
  for (let at = Math.ceil(Math.min(...positions)); at <= tokens.length; at += 1) {
    all.add(at);
    if (tokens[at] === ANY || tokens[at] === ANY_FIRST) all.add(at + 0.5);
  }
  return all;
}
