import type {Position, Range} from '../symbol.ts';
import {afterOf, endOf, startOf, textOf, typeOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';
import type {Draft, DraftSymbol} from './draft.ts';

/** Offsets to lines and back. */
export interface Lines {
  position(offset: number): Position;
  range(start: number, end: number): Range;
  offset(position: Position): number;
}

export function linesOf(text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  let last = 0;
  const position = (offset: number): Position => {
    let high = starts.length;
    // Questions come mostly in the order of the text: the line of the last one is where to begin.
    if ((starts[last] ?? 0) > offset) last = 0;
    else if (offset < (starts[last + 8] ?? Infinity)) high = Math.min(high, last + 8);
    while (high - last > 1) {
      const middle = (last + high) >> 1;
      if ((starts[middle] ?? 0) > offset) high = middle;
      else last = middle;
    }
    return {line: last, character: offset - (starts[last] ?? 0)};
  };
  return {
    position,
    range: (start, end) => ({start: position(start), end: position(end)}),
    offset: ({line, character}) => Math.min((starts[line] ?? text.length) + character, text.length),
  };
}

const LONGEST_SIGNATURE = 200;
/** A value is shown as long as it is short. */
const LONGEST_VALUE = 100;

/** One line: the declaration without its body. */
export function signatureOf(draft: Draft, symbol: DraftSymbol): string {
  const {syntax} = draft;
  const start = Math.min(behindDecorations(draft, symbol), startOf(syntax, symbol.nameNode));
  const wanted = signatureEnd(draft, symbol);
  const end = wanted > start ? wanted : endOf(syntax, symbol.nameNode);
  const line = syntax.text.slice(start, Math.min(end, start + 4 * LONGEST_SIGNATURE)).replaceAll(/\s+/gu, ' ');
  return cut(line.replace(/\s*(?:[{=:;]|=>|\bdo)?\s*$/u, '').trim());
}

function behindDecorations({syntax, language}: Draft, symbol: DraftSymbol): number {
  let start = startOf(syntax, symbol.outer);
  for (let child = symbol.outer + 1; child < symbol.nameNode; child++) {
    if (language.decorations?.includes(typeOf(syntax, child)) !== true || startOf(syntax, child) > start + 1) continue;
    start = afterBlank(syntax.text, endOf(syntax, child));
    child = afterOf(syntax, child) - 1;
  }
  return start;
}

function signatureEnd({syntax}: Draft, {bodyNode, nameNode, node, source}: DraftSymbol): number {
  if (bodyNode >= 0) return startOf(syntax, bodyNode);
  const long = source.value > nameNode && isLong(textOf(syntax, source.value));
  return long ? startOf(syntax, source.value) : endOf(syntax, node);
}

function isLong(value: string): boolean {
  return value.length > LONGEST_VALUE || value.includes('\n');
}

function cut(line: string): string {
  return line.length <= LONGEST_SIGNATURE ? line : `${line.slice(0, LONGEST_SIGNATURE - 1)}…`;
}

function afterBlank(text: string, at: number): number {
  let end = at;
  while (end < text.length && /\s/u.test(text[end] ?? '')) end++;
  return end;
}

const LONGEST_DOC = 2000;

/**
 * The comment right above a declaration, without its marks; undefined for none. `comments`: the nodes of comments and
 * decorations, in the order of the text.
 */
export function docOf({syntax, language}: Draft, symbol: DraftSymbol, comments: readonly number[]): string | undefined {
  const parts: string[] = [];
  let below = startOf(syntax, symbol.outer);
  for (let at = lastBefore(comments, symbol.outer); at >= 0; at--) {
    const node = comments[at] ?? 0;
    if (!isRightAbove(syntax, node, below)) break;
    below = startOf(syntax, node);
    if (!language.comments.includes(typeOf(syntax, node))) continue;
    parts.unshift(textOf(syntax, node));
    if (parts[0]?.startsWith('/*') === true) break;
  }
  const doc = unmarked(parts.join('\n'));
  return doc === '' ? undefined : doc;
}

/** On lines of its own, with no blank line below. */
function isRightAbove(syntax: Syntax, node: number, below: number): boolean {
  const end = endOf(syntax, node);
  const gap = end > below || below - end > 400 ? 'x' : syntax.text.slice(end, below);
  return /^[^\S\n]*\n?[^\S\n]*$/u.test(gap) && startsLine(syntax.text, startOf(syntax, node));
}

function lastBefore(comments: readonly number[], node: number): number {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle] ?? 0) < node) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function startsLine(text: string, at: number): boolean {
  return /^\s*$/u.test(text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 400), at));
}

/** The words of a comment or a docstring. */
export function unmarked(comment: string): string {
  return comment
    .slice(0, LONGEST_DOC)
    .replace(/^[rRuUbB]*(?:"""|'''|")/u, '')
    .replace(/(?:"""|'''|")$/u, '')
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:\/\*[*!]?|\/\/[/!]?|\*(?!\/)|#+!?|--+(?:\[\[)?|;+|%+)? ?/u, '')
        .replace(/\s*\*+\/\s*$/u, '')
        .trimEnd(),
    )
    .join('\n')
    .trim();
}
