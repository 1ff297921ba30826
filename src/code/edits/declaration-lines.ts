import type {CodeSymbol} from '../symbol.ts';

/** Whole lines of a text, from 0; `end` is the first one after them. */
export interface Lines {
  readonly start: number;
  readonly end: number;
}

/**
 * The lines that belong to a declaration: its own, and what is written directly above it, its comments, attributes and decorators.
 * undefined where it shares a line with something else.
 */
export function declarationLines(lines: readonly string[], {range: {start, end}}: CodeSymbol): Lines | undefined {
  if ((lines[start.line] ?? '').slice(0, start.character).trim() !== '') return undefined;
  if (!/^\s*[;,]?\s*$/.test((lines[end.line] ?? '').slice(end.character))) return undefined;
  let first = start.line;
  while (first > 0 && BELONGS.test(lines[first - 1] ?? '')) first -= 1;
  return {start: first, end: end.line + 1};
}

/** A line of a comment, an attribute or a decorator; a line of code never begins so. */
const BELONGS = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|else|endif|pragma|!)|--|@|\[[A-Z]\w*.*\]\s*$)/;
