import {FettleError} from '../../base/errors.ts';
import {byteText} from '../../workspace/ignore/byte-text.ts';
import {type IgnorePattern, parseIgnoreLine} from '../../workspace/ignore/ignore-pattern.ts';
import {compileSegment, groupEnd, type SegmentMatcher} from './bash-segment.ts';
import {expandBraces, expandBracesIn, type PatternChar, type PatternText} from './brace-expansion.ts';
import {type FolderChoice, EVERYTHING, SELECT_NOTHING, type Selector} from '../selector.ts';

/** A pattern ready for a walk. */
export interface Glob {
  readonly selector: Selector;
  /** `./` where the pattern starts with it: bash keeps it in the results. */
  readonly prefix: string;
}

/**
 * A pattern as bash 5.2 expands it with globstar and extglob. `*`, `?` and brackets take one name and no leading dot (but with `hidden`);
 * `**` crosses folders; a link ends it, but for a leading `**`, which takes no link at all (as bash has it: `**\/x` does not find `link/x`,
 * `d/**\/x` finds `d/link/x`). A pattern that ends in `/` lists folders. Throws BAD_ARGS for a path that leaves the folder.
 */
export function compileBashGlob(pattern: string, hidden: boolean): Glob {
  const words = expandBraces(lex(pattern));
  if (words === undefined) throw badPattern(pattern, 'expands to too many words', 'Use fewer or shorter brace ranges.');
  const paths = words.map((word) => compilePath(word, hidden));
  if (paths.includes(undefined)) {
    throw badPattern(
      pattern,
      'leads out of the folder',
      'Patterns are relative to the folder; name another folder instead of `/` or `..`.',
    );
  }
  const states = paths.flatMap((path) => (path === undefined || path.segments.length === 0 ? [] : [{path, index: 0}]));
  return {selector: bashSelector(states, hidden), prefix: pattern.startsWith('./') ? './' : ''};
}

/**
 * A pattern line of gitignore: a file is selected when the line matches it or a folder above it; with `!` all others are.
 * Braces may also be meant as alternatives, and `./` as the folder itself: git takes both literally, where they find next to nothing.
 * A leading dot must be named in the pattern (but with `hidden`), then dots are seen everywhere. Source: "microcode tools › glob".
 */
export function compileIgnoreGlob(line: string, hidden: boolean): Glob {
  const lines = new Set([line, ...((line.startsWith('!') ? undefined : expandBracesIn(line)) ?? [])]);
  const patterns = [...lines].flatMap((text) => parseIgnoreLine(byteText(text.replace(/^#/, '\\#').replace(/^\.\//, '/')), false) ?? []);
  const judgesDots = hidden || /(?:^|\/)!?\\?\.(?!\/)/.test(line);
  return {selector: patterns.length === 0 ? bashSelector([], hidden) : lineSelector(patterns, '', judgesDots), prefix: ''};
}

function badPattern(pattern: string, problem: string, hint: string): FettleError {
  return new FettleError({code: 'BAD_ARGS', message: `The glob ${JSON.stringify(pattern)} ${problem}.`, hint});
}

/** Characters that a backslash protects outside of quotes and within each kind of them. */
const ESCAPABLE: Readonly<Record<string, RegExp | undefined>> = {'': /[^]/, '"': /[$`"\\]/};

/** Characters of a shell word, quotes and backslashes resolved. An unpaired quote is literal. */
function lex(pattern: string): PatternChar[] {
  const chars = Array.from(pattern);
  const text: PatternChar[] = [];
  let quote = '';
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    const next = chars[at + 1];
    if (char === quote) quote = '';
    else if (char === '\\' && next !== undefined && ESCAPABLE[quote]?.test(next) === true) {
      text.push({char: next, quoted: true});
      at++;
    } else if (quote === '' && (char === '"' || char === "'") && chars.includes(char, at + 1)) quote = char;
    else text.push({char, quoted: quote !== ''});
  }
  return text;
}

interface PathGlob {
  /** undefined: `**`. */
  readonly segments: readonly (SegmentMatcher | undefined)[];
  readonly foldersOnly: boolean;
  /** `**` is the very first segment. */
  readonly startsDeep: boolean;
}

function compilePath(word: PatternText, hidden: boolean): PathGlob | undefined {
  const parts = splitPath(word);
  const plain = parts.map((part) => part.map(({char}) => char).join(''));
  if (word.length > 0 && (plain[0] === '' || plain.includes('..'))) return undefined;
  const named = parts.filter((_, i) => plain[i] !== '' && plain[i] !== '.');
  return {
    segments: named.map((part) => (isGlobstar(part) ? undefined : compileSegment(part, hidden))),
    foldersOnly: plain.length > 1 && ['', '.'].includes(plain.at(-1) ?? ''),
    startsDeep: plain[0] === '**',
  };
}

function isGlobstar(part: PatternText): boolean {
  return part.length === 2 && part.every(({char, quoted}) => char === '*' && !quoted);
}

function splitPath(word: PatternText): PatternText[] {
  const parts: PatternText[] = [];
  let start = 0;
  for (let at = 0; at < word.length; at++) {
    at = groupEnd(word, at) ?? at;
    if (word[at]?.char !== '/') continue;
    parts.push(word.slice(start, at));
    start = at + 1;
  }
  return [...parts, word.slice(start)];
}

/** The progress of one pattern: `index` is the segment that an entry of this folder must match. */
interface State {
  readonly path: PathGlob;
  readonly index: number;
}

function bashSelector(start: readonly State[], hidden: boolean): Selector {
  const states = start.flatMap(withoutFolders);
  const isSeen = (name: string): boolean => hidden || !name.startsWith('.');
  const fits = ({path, index}: State, name: string): boolean => path.segments[index]?.(name) ?? isSeen(name);
  const isLast = ({path, index}: State): boolean => index === path.segments.length - 1;
  const enter = (taken: readonly State[]): Selector | undefined => (taken.length === 0 ? undefined : bashSelector(taken, hidden));
  const choose = (listed: boolean, below: Selector | undefined): FolderChoice =>
    listed || below !== undefined ? {choice: 'yes', below, listed} : SELECT_NOTHING;
  return {
    judgesDots: true,
    file: (name) => (states.some((state) => isLast(state) && !state.path.foldersOnly && fits(state, name)) ? 'yes' : 'no'),
    folder(name) {
      const taken = states.filter((state) => fits(state, name));
      const listed = taken.some(endsHere);
      return choose(listed, enter(taken.flatMap((state) => (isDeep(state) ? [state] : isLast(state) ? [] : [advanced(state)]))));
    },
    link(name) {
      const taken = states.filter((state) => fits(state, name));
      const listed = taken.some(endsHere);
      return choose(listed, enter(taken.flatMap((state) => (isLast(state) || skipsLinks(state) ? [] : [advanced(state)]))));
    },
  };
}

/** A folder that matched so far is a result: the pattern wants folders, and only `**` is left of it. */
function endsHere({path, index}: State): boolean {
  return path.foldersOnly && path.segments.slice(index + 1).every((segment) => segment === undefined);
}

function isDeep({path, index}: State): boolean {
  return index < path.segments.length && path.segments[index] === undefined;
}

/** A leading `**` takes no link; a later one takes a link as its last name. */
function skipsLinks(state: State): boolean {
  return isDeep(state) && state.index === 0 && state.path.startsDeep;
}

function advanced({path, index}: State): State {
  return {path, index: index + 1};
}

/** `**` also matches no folder at all. */
function withoutFolders(state: State): State[] {
  const next = advanced(state);
  return isDeep(state) && next.index < state.path.segments.length ? [state, ...withoutFolders(next)] : [state];
}

function lineSelector(patterns: readonly IgnorePattern[], folder: string, judgesDots: boolean): Selector {
  const negated = patterns.some((pattern) => pattern.negated);
  const hits = (name: string, isFolder: boolean): boolean =>
    patterns.some(
      (pattern) =>
        (isFolder || !pattern.directoryOnly) && (pattern.name?.matches(name) === true || pattern.path?.matches(folder + name) === true),
    );
  const everything = judgesDots ? EVERYTHING_WITH_DOTS : EVERYTHING;
  return {
    judgesDots,
    file: (name) => (hits(byteText(name), false) !== negated ? 'yes' : 'no'),
    folder(name) {
      const bytes = byteText(name);
      if (hits(bytes, true)) return negated ? SELECT_NOTHING : {choice: 'yes', below: everything};
      const below = `${folder}${bytes}/`;
      const isOver = !negated && patterns.every((pattern) => pattern.path?.leadsTo(below) === false);
      return isOver ? SELECT_NOTHING : {choice: 'yes', below: lineSelector(patterns, below, judgesDots)};
    },
  };
}

const EVERYTHING_WITH_DOTS: Selector = {
  judgesDots: true,
  file: () => 'yes',
  folder: () => ({choice: 'yes', below: EVERYTHING_WITH_DOTS}),
};
