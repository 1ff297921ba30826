import {parseBracket} from './bracket.ts';

export interface WildmatchOptions {
  /** `*`, `?` and brackets stop at `/`, and `**` between slashes crosses folders; else `*` takes everything. */
  readonly pathname: boolean;
  readonly ignoreCase: boolean;
}

export interface Wildmatch {
  readonly matches: (text: string) => boolean;
  /** The number of `/` in each matching text; undefined: it varies. */
  readonly slashes: number | undefined;
}

/**
 * Compiles a pattern like git's wildmatch. Pattern and texts are byte texts (see byteText);
 * with `ignoreCase` the texts come folded (see foldCase).
 * Time is bounded by the length of pattern times text: no pattern backtracks.
 */
export function compileWildmatch(pattern: string, options: WildmatchOptions): Wildmatch {
  const tokens = tokenize(pattern, options);
  if (tokens === undefined) return {matches: () => false, slashes: 0};
  const first = tokens.findIndex(isStar);
  const slashes = tokens.some((token) => token === DEEP_STAR) ? undefined : tokens.filter((token) => token === SLASH).length;
  if (first < 0) return {matches: (text) => text.length === tokens.length && matchesAt(tokens, text, 0), slashes};
  const last = tokens.findLastIndex(isStar);
  const head = tokens.slice(0, first);
  const tail = tokens.slice(last + 1);
  const middle = matchMiddle(tokens.slice(first, last + 1));
  const shortest = head.length + tail.length;
  const matches = (text: string): boolean =>
    text.length >= shortest &&
    matchesAt(tail, text, text.length - tail.length) &&
    matchesAt(head, text, 0) &&
    middle(text, head.length, text.length - tail.length);
  return {matches, slashes};
}

/** A literal byte (0–255), a set of bytes, or one of the stars. */
type Token = number | Uint8Array;
const SLASH = 0x2f;
const STAR = -1; // stays in its folder
const DEEP_STAR = -2; // also takes slashes
const MAYBE_FOLDERS = -3; // before DEEP_STAR and FOLDER_END: both may be left out
const FOLDER_END = -4; // the slash after them

function isStar(token: Token): boolean {
  return typeof token === 'number' && token < 0;
}

function tokenize(pattern: string, {pathname, ignoreCase}: WildmatchOptions): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const char = pattern[at];
    if (char === '*') {
      const end = starsEnd(pattern, at);
      tokens.push(...(pathname ? pathStars(pattern, at, end) : [DEEP_STAR]));
      at = tokens.at(-1) === FOLDER_END ? end + 1 : end;
    } else if (char === '[') {
      const bracket = parseBracket(pattern, at + 1, ignoreCase);
      if (bracket === undefined) return undefined;
      tokens.push(bracket.bytes);
      at = bracket.end;
    } else {
      const escaped = char === '\\';
      if (escaped) at++;
      if (at >= pattern.length) return undefined;
      tokens.push(char === '?' ? (pathname ? NO_SLASH : ANY) : literal(pattern, at, ignoreCase && !escaped));
      at++;
    }
  }
  return tokens;
}

/** git does not fold an escaped letter, so with `ignoreCase` an escaped capital matches nothing. */
function literal(pattern: string, at: number, ignoreCase: boolean): number {
  const byte = pattern.charCodeAt(at);
  return ignoreCase && byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte;
}

function starsEnd(pattern: string, start: number): number {
  let end = start;
  while (pattern[end] === '*') end++;
  return end;
}

function pathStars(pattern: string, start: number, end: number): number[] {
  const opens = start === 0 || pattern[start - 1] === '/';
  const next = pattern[end];
  if (end - start < 2 || !opens) return [STAR];
  if (next === '/') return [MAYBE_FOLDERS, DEEP_STAR, FOLDER_END];
  return next === undefined || (next === '\\' && pattern[end + 1] === '/') ? [DEEP_STAR] : [STAR];
}

const ANY = new Uint8Array(256).fill(1);
const NO_SLASH = new Uint8Array(256).fill(1);
NO_SLASH[SLASH] = 0;

function matchesAt(tokens: readonly Token[], text: string, start: number): boolean {
  for (let i = 0; i < tokens.length; i++) {
    if (!takes(tokens[i], text.charCodeAt(start + i))) return false;
  }
  return true;
}

function takes(token: Token | undefined, byte: number): boolean {
  return typeof token === 'number' ? token === byte : token?.[byte] === 1;
}

type RangeMatcher = (text: string, start: number, end: number) => boolean;

function matchMiddle(tokens: readonly Token[]): RangeMatcher {
  if (tokens.length > 1) return (text, start, end) => simulate(tokens, text.slice(start, end));
  return tokens[0] === DEEP_STAR ? () => true : (text, start, end) => !text.slice(start, end).includes('/');
}

/** Follows all possible positions in the pattern at once. */
function simulate(tokens: readonly Token[], text: string): boolean {
  let states = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  enter(tokens, states, 0);
  for (let i = 0; i < text.length; i++) {
    next.fill(0);
    const byte = text.charCodeAt(i);
    for (let state = 0; state < tokens.length; state++) {
      if (states[state] === 1) step(tokens, next, {state, byte});
    }
    [states, next] = [next, states];
  }
  return states[tokens.length] === 1;
}

function step(tokens: readonly Token[], next: Uint8Array, {state, byte}: {state: number; byte: number}): void {
  const token = tokens[state];
  if (token === DEEP_STAR || (token === STAR && byte !== SLASH)) enter(tokens, next, state);
  else if (token === FOLDER_END ? byte === SLASH : takes(token, byte)) enter(tokens, next, state + 1);
}

/** Marks a state, and all states reachable from it without consuming a byte. */
function enter(tokens: readonly Token[], states: Uint8Array, from: number): void {
  for (let state = from; ; state++) {
    if (states[state] === 1) return;
    const token = tokens[state];
    if (token !== MAYBE_FOLDERS) states[state] = 1;
    else enter(tokens, states, state + 3);
    if (token === undefined || token === FOLDER_END || !isStar(token)) return;
  }
}
