import {FettleError} from '../../../base/errors.ts';
import {expandBraces} from '../../../search/glob/brace-expansion.ts';

/**
 * Creates a test of relative paths by a glob as in "zblade tool calls › find_files_glob": `*` and `?` match any character, `/` and a
 * leading dot too; `**` + `/` matches any number of folders, including none; `[a-z]` and `[!a-z]` for one character. A leading `/` is dropped.
 * Braces are alternatives. Takes time in proportion to path times pattern, whatever the pattern.
 */
export function pathGlob(pattern: string, {caseSensitive}: {readonly caseSensitive: boolean}): (path: string) => boolean {
  if (pattern.length > LONGEST)
    throw new FettleError({
      code: 'BAD_ARGS',
      message: `The pattern is longer than ${LONGEST} characters.`,
      hint: 'Search for a part of it.',
    });
  const fold = (text: string): string => (caseSensitive ? text : text.toLowerCase());
  const plain = Array.from(fold(pattern.replace(/^\//, '')), (char) => ({char, quoted: false}));
  const alternatives = expandBraces(plain)?.map((chars) => tokensOf(chars.map(({char}) => char).join('')));
  if (alternatives === undefined) {
    throw new FettleError({
      code: 'BAD_ARGS',
      message: `The braces of "${pattern}" expand to too many patterns.`,
      hint: 'Use fewer of them.',
    });
  }
  return (path) => alternatives.some((tokens) => matchesAll(tokens, fold(path)));
}

const LONGEST = 4096;

type Token = 'any' | 'star' | 'folders' | ((character: string) => boolean);

function tokensOf(pattern: string): Token[] {
  const parts = pattern.match(/\*\*\/|\*+|\?|\[!?\]?[^\]]*\]|[^]/gu) ?? [];
  return parts.map((part): Token => {
    if (part === '**/') return 'folders';
    if (part.startsWith('*')) return 'star';
    if (part === '?') return 'any';
    if (part.length > 2 && part.startsWith('[')) return classOf(part.slice(1, -1));
    return (character) => character === part;
  });
}

function classOf(body: string): (character: string) => boolean {
  const negated = body.startsWith('!');
  const items = (negated ? body.slice(1) : body).match(/[^]-[^]|[^]/gu) ?? [];
  const holds = (character: string): boolean =>
    items.some((item) => {
      const [first = '', dash, last] = item;
      return dash === undefined || last === undefined ? item === character : first <= character && character <= last;
    });
  return negated ? (character) => !holds(character) : holds;
}

/** Tracks all positions in the path that the tokens so far can reach, with one pass per token. */
function matchesAll(tokens: readonly Token[], path: string): boolean {
  const characters = Array.from(path);
  let reached = new Set([0]);
  for (const token of tokens) {
    reached = step(token, reached, characters);
    if (reached.size === 0) return false;
  }
  return reached.has(characters.length);
}

function step(token: Token, from: ReadonlySet<number>, characters: readonly string[]): Set<number> {
  const first = Math.min(...from);
  const later = Array.from({length: characters.length - first}, (_, index) => first + index + 1);
  if (token === 'star') return new Set([first, ...later]);
  if (token === 'folders') return new Set([...from, ...later.filter((at) => characters[at - 1] === '/')]);
  const fits = token === 'any' ? () => true : token;
  return new Set([...from].filter((at) => at < characters.length && fits(characters[at] ?? '')).map((at) => at + 1));
}
