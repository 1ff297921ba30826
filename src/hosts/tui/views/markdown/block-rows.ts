import type {MarkedToken, Token, Tokens} from 'marked';
import {span, type Line, type StyleName} from '../../cells/line.ts';
import {shownRows} from '../../cells/shown-text.ts';
import {lineWidth, wrapLine} from '../../cells/wrap-line.ts';
import {highlightCode} from '../code/highlight-code.ts';
import {inlineLines} from './inline-spans.ts';
import {tableRows} from './table-rows.ts';

/** Blocks one below the other, with an empty row between those that the text sets apart. */
export function blockRows(tokens: readonly Token[], width: number): readonly Line[] {
  const rows: Line[] = [];
  let isApart = false;
  for (const token of tokens as readonly MarkedToken[]) {
    if (token.type === 'space') isApart = true;
    const block = rowsOf(token, width);
    if (block.length === 0) continue;
    if (rows.length > 0 && (isApart || STANDS_APART.has(token.type))) rows.push([]);
    for (const row of block) rows.push(row);
    isApart = STANDS_APART.has(token.type);
  }
  return rows;
}

function rowsOf(token: MarkedToken, width: number): readonly Line[] {
  switch (token.type) {
    case 'space':
    case 'checkbox':
      return [];
    case 'blockquote':
      return behind(blockRows(token.tokens, inside(width, 2)), {width, first: QUOTE, rest: QUOTE});
    case 'list':
      return listRows(token, width);
    case 'table':
      return tableRows(token, width);
    case 'hr':
      return [[span('─'.repeat(Math.min(width, 40)), 'border')]];
    case 'html':
      return writtenRows(token.text.replace(/\n+$/, ''), width);
    case 'def':
      return writtenRows(token.raw.trimEnd(), width, 'dim');
    default:
      return wrapped(linesOf(token), width);
  }
}

/** The lines, not yet wrapped, of a block without inner blocks. */
function linesOf(token: MarkedToken): readonly Line[] {
  if (token.type === 'heading') return inlineLines(token.tokens, token.depth === 1 ? TITLE : HEADING);
  if (token.type === 'code') return highlightCode(token.text.replace(/\n$/, ''), /^[^\s{,]*/.exec(token.lang ?? '')?.[0]);
  return inlineLines('tokens' in token ? (token.tokens ?? [token]) : [token]);
}

/** Text as it is written, for entries that are not Markdown. */
export function writtenRows(text: string, width: number, ...style: readonly StyleName[]): readonly Line[] {
  return wrapped(
    shownRows(text).map((row) => (row === '' ? [] : [span(row, ...style)])),
    width,
  );
}

function listRows(list: Tokens.List, width: number): readonly Line[] {
  const start = list.start === '' ? 1 : list.start;
  const markers = list.items.map((item, index) => marker(item, list.ordered ? start + index : undefined));
  const widest = markers.reduce((most, {length}) => Math.max(most, length), 0);
  const rest = [span(' '.repeat(widest))];
  return list.items.flatMap((item, index) => {
    const children = blockRows(item.tokens, inside(width, widest));
    const own = markers[index] ?? '';
    const first = span(list.ordered ? own.padStart(widest) : own.padEnd(widest));
    const rows = behind(children.length === 0 ? [[]] : children, {width, first: [first], rest});
    return list.loose && index > 0 ? [[], ...rows] : rows;
  });
}

function marker(item: Tokens.ListItem, number: number | undefined): string {
  if (item.task) return item.checked === true ? '[x] ' : '[ ] ';
  return number === undefined ? '• ' : `${number}. `;
}

function wrapped(lines: readonly Line[], width: number): readonly Line[] {
  return lines.flatMap((line) => wrapLine(line, width));
}

interface Margin {
  readonly width: number;
  readonly first: Line;
  readonly rest: Line;
}

/** Rows with a prefix; if too little room is left for text, the prefix is on a row of its own or left out. */
function behind(rows: readonly Line[], {width, first, rest}: Margin): readonly Line[] {
  if (inside(width, lineWidth(rest)) === width) return first === rest ? rows : [first, ...rows];
  return rows.map((row, index) => (index === 0 ? [...first, ...row] : row.length === 0 && rest !== first ? [] : [...rest, ...row]));
}

function inside(width: number, margin: number): number {
  return width - margin < LEAST_WIDTH ? width : width - margin;
}

const LEAST_WIDTH = 8;
const QUOTE: Line = [span('│ ', 'quote')];
const TITLE: readonly StyleName[] = ['heading', 'bold', 'underline'];
const HEADING: readonly StyleName[] = ['heading', 'bold'];
const STANDS_APART: ReadonlySet<string> = new Set(['heading', 'code', 'table', 'hr']);
