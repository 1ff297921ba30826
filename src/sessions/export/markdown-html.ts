import {visibleText} from '../../base/visible-text.ts';
import {codeHtml} from './html-text.ts';
import {inlineHtml} from './inline-html.ts';

/**
 * Markdown of a model, or of what it read, as HTML: headings, paragraphs, lists, tables, quotes, code, and what `inlineHtml` knows. Tags in it
 * are text; nothing is loaded. Line ends stay, since people and tools write texts that are not Markdown.
 */
export function markdownHtml(text: string): string {
  return blocksHtml(visibleText(text).split('\n'), 0);
}

const MOST_LEVELS = 6;

interface Cursor {
  readonly lines: readonly string[];
  readonly depth: number;
}

/** A block that begins at a line: its HTML, and the first line after it. */
interface Block {
  readonly html: string;
  readonly next: number;
}

type BlockReader = (cursor: Cursor, at: number) => Block | undefined;

function blocksHtml(lines: readonly string[], depth: number): string {
  const cursor = {lines, depth};
  let html = '';
  let at = 0;
  while (at < lines.length) {
    const block = (lines[at] ?? '').trim() === '' ? {html: '', next: at + 1} : (readBlock(cursor, at) ?? paragraph(cursor, at));
    html += block.html;
    at = block.next;
  }
  return html;
}

function readBlock(cursor: Cursor, at: number): Block | undefined {
  const readers = cursor.depth < MOST_LEVELS ? [...PLAIN_BLOCKS, ...NESTED_BLOCKS] : PLAIN_BLOCKS;
  for (const read of readers) {
    const block = read(cursor, at);
    if (block !== undefined) return block;
  }
  return undefined;
}

function fence({lines}: Cursor, at: number): Block | undefined {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(lines[at] ?? '')?.[1];
  if (mark === undefined) return undefined;
  const to = endOf(lines, at + 1, (line) => !closes(line, mark));
  return {html: codeHtml(lines.slice(at + 1, to).join('\n')), next: to + 1};
}

function closes(line: string, mark: string): boolean {
  const bare = line.trim();
  return bare.length >= mark.length && bare.startsWith(mark) && bare.replaceAll(mark[0] ?? '', '') === '';
}

function heading({lines}: Cursor, at: number): Block | undefined {
  const [, marks, words] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(lines[at] ?? '') ?? [];
  if (marks === undefined || words === undefined) return undefined;
  const tag = marks.length < 3 ? 'h3' : 'h4';
  return {html: `<${tag}>${inlineHtml(words)}</${tag}>`, next: at + 1};
}

function rule({lines}: Cursor, at: number): Block | undefined {
  return /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(lines[at] ?? '') ? {html: '<hr>', next: at + 1} : undefined;
}

function quote({lines, depth}: Cursor, at: number): Block | undefined {
  const next = endOf(lines, at, (line) => QUOTED.test(line));
  if (next === at) return undefined;
  const inner = lines.slice(at, next).map((line) => line.replace(QUOTED, ''));
  return {html: `<blockquote>${blocksHtml(inner, depth + 1)}</blockquote>`, next};
}

const QUOTED = /^ {0,3}> ?/;

function table({lines}: Cursor, at: number): Block | undefined {
  const [head = '', line = ''] = [lines[at], lines[at + 1]];
  if (!head.includes('|') || !line.includes('-') || line.length > LONGEST_ROW || !SEPARATOR.test(line.trim())) return undefined;
  const columns = cellsOf(head);
  if (columns.length !== cellsOf(line).length) return undefined;
  const next = endOf(lines, at + 2, (row) => row.includes('|') && row.trim() !== '');
  const rows = lines.slice(at + 2, next).map(cellsOf);
  const row = (tag: string, cells: readonly string[]): string =>
    `<tr>${columns.map((_, index) => `<${tag}>${inlineHtml(cells[index] ?? '')}</${tag}>`).join('')}</tr>`;
  const body = rows.length === 0 ? '' : `<tbody>${rows.map((cells) => row('td', cells)).join('')}</tbody>`;
  return {html: `<div class="wide"><table><thead>${row('th', columns)}</thead>${body}</table></div>`, next};
}

const LONGEST_ROW = 2000;
const SEPARATOR = /^\|?(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?)?$/;

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}

function list(cursor: Cursor, at: number): Block | undefined {
  const first = markerOf(cursor.lines[at] ?? '');
  if (first === undefined) return undefined;
  const items: string[] = [];
  let next = at;
  for (let marker: Marker | undefined = first; marker?.kind === first.kind; marker = markerOf(cursor.lines[next] ?? '')) {
    const end = endOfItem(cursor.lines, next, marker);
    const [line = '', ...rest] = cursor.lines.slice(next, end);
    items.push(itemHtml([line.slice(marker.width), ...rest.map((one) => dedented(one, marker.width))], cursor.depth + 1));
    next = end;
  }
  if (first.number === undefined) return {html: `<ul>${items.join('')}</ul>`, next};
  return {html: `<ol${first.number === 1 ? '' : ` start="${first.number}"`}>${items.join('')}</ol>`, next};
}

interface Marker {
  readonly kind: string;
  readonly number: number | undefined;
  /** Columns before the text of the item. */
  readonly width: number;
}

function markerOf(line: string): Marker | undefined {
  const [whole, sign, digits, kind] = /^ {0,3}(?:([-*+])|(\d{1,9})([.)]))(?: {1,4}(?=\S)|[ \t]*$)/.exec(line) ?? [];
  if (whole === undefined) return undefined;
  return {kind: sign ?? kind ?? '', number: digits === undefined ? undefined : Number(digits), width: whole.length};
}

/** An item continues with indented lines, and with a paragraph without indentation. */
function endOfItem(lines: readonly string[], at: number, marker: Marker): number {
  const least = Math.min(marker.width, 2);
  let end = at + 1;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    const isInside = indentOf(line) >= least;
    const goesOn = index === end && !isInside && markerOf(line) === undefined && !BEGINS_BLOCK.test(line);
    if (!isInside && !goesOn) break;
    end = index + 1;
  }
  const behind = endOf(lines, end, (line) => line.trim() === '');
  return markerOf(lines[behind] ?? '')?.kind === marker.kind ? behind : end;
}

/** An item of one paragraph is its text; a task has its box. */
function itemHtml([first = '', ...rest]: readonly string[], depth: number): string {
  const [, box, words] = /^\[([ xX])\] (.*)$/.exec(first) ?? [];
  const lines = [words ?? first, ...rest];
  const sign = box === undefined ? '' : box === ' ' ? '☐ ' : '☑ ';
  return `<li>${sign}${blocksHtml(lines, depth).replace(/^<p>([^<]*(?:<(?!\/?p>)[^<]*)*)<\/p>/, '$1')}</li>`;
}

function dedented(line: string, width: number): string {
  return line.slice(Math.min(width, indentOf(line)));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function paragraph(cursor: Cursor, at: number): Block {
  const {lines} = cursor;
  const isText = (line: string, index: number): boolean =>
    line.trim() !== '' && !BEGINS_BLOCK.test(line) && table(cursor, index) === undefined;
  const next = endOf(lines, at + 1, isText);
  return {html: `<p>${inlineHtml(lines.slice(at, next).join('\n').trim())}</p>`, next};
}

/** A line that ends the paragraph before it. */
const BEGINS_BLOCK = /^ {0,3}(?:`{3}|~{3}|#{1,6}[ \t]+\S|>|[-*+] +\S|\d{1,9}[.)] +\S|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$)/;

function endOf(lines: readonly string[], from: number, holds: (line: string, index: number) => boolean): number {
  let end = from;
  while (end < lines.length && holds(lines[end] ?? '', end)) end += 1;
  return end;
}

const PLAIN_BLOCKS: readonly BlockReader[] = [fence, heading, rule, table];
const NESTED_BLOCKS: readonly BlockReader[] = [quote, list];
