import type {Fence} from '../../model/printed.ts';

/** A part of a Markdown text that is rendered by itself. Offsets are in UTF-16 units; a piece ends where the next begins. */
export interface Piece {
  readonly type: 'blank' | 'text' | 'open' | 'code' | 'close';
  readonly start: number;
  readonly end: number;
  /** True if no further text can change where the piece ends. */
  readonly isComplete: boolean;
  /** The fenced block that is open after it. */
  readonly fence: Fence | undefined;
}

/**
 * Splits a text into blocks of the top level, and fenced code into its lines; only the last piece can be incomplete. The pieces depend on
 * nothing that follows them, so a text in pieces is split as the whole is. Each is bounded in size: a paragraph beyond 16 KB is cut.
 * `fence` is what is open where the text begins.
 */
export function* piecesOf(text: string, fence: Fence | undefined): Generator<Piece> {
  let open = fence;
  let start = 0;
  while (start < text.length) {
    const piece = open === undefined ? blockAt(text, start) : codeAt(text, start, open);
    yield piece;
    open = piece.fence;
    start = piece.end;
  }
}

function codeAt(text: string, start: number, fence: Fence): Piece {
  const line = lineAt(text, start);
  const isClose = CLOSE.exec(line.text)?.[1]?.startsWith(fence.marker) === true;
  if (isClose) return {type: 'close', start, end: line.end, isComplete: line.isComplete, fence: undefined};
  return {type: 'code', start, end: line.end, isComplete: line.isComplete, fence};
}

function blockAt(text: string, start: number): Piece {
  const line = lineAt(text, start);
  if (BLANK.test(line.text)) return {type: 'blank', start, end: line.end, isComplete: line.isComplete, fence: undefined};
  const fence = fenceOf(line.text);
  if (fence !== undefined) return {type: 'open', start, end: line.end, isComplete: line.isComplete, fence};
  if (HEADING.test(line.text)) return {type: 'text', start, end: line.end, isComplete: line.isComplete, fence: undefined};
  return {type: 'text', start, fence: undefined, ...endOfText(text, start)};
}

type End = Pick<Piece, 'end' | 'isComplete'>;

/** The end of a paragraph, list, quotation or table: after a blank line, or before a line that begins another block. */
function endOfText(text: string, start: number): End {
  let isList = false;
  let most = MOST_TEXT;
  let at = start;
  while (at < text.length) {
    const line = lineAt(text, at);
    if (at > start && breaksBefore(text, {start, at, end: line.end, most, isList})) return {end: at, isComplete: line.isComplete};
    isList ||= LIST.test(line.text);
    if (DELIMITERS.test(line.text)) most = MOST_TABLE;
    if (!line.isComplete) return {end: line.end, isComplete: false};
    at = line.end;
    if (!BLANK.test(line.text)) continue;
    if (!isList) return {end: at, isComplete: true};
    at = afterBlank(text, at);
    const next = afterList(text, at);
    if (next !== 'goes on') return {end: at, isComplete: next === 'ends'};
  }
  return {end: at, isComplete: false};
}

interface Candidate {
  readonly start: number;
  readonly at: number;
  readonly end: number;
  readonly most: number;
  readonly isList: boolean;
}

function breaksBefore(text: string, {start, at, end, most, isList}: Candidate): boolean {
  if (end - start > most) return true;
  const isIndented = /[ \t\r\n]/.test(text[at] ?? '');
  if (at - start > most / 2 && !isIndented) return true;
  if (isList && isIndented) return false;
  const line = text.slice(at, end);
  return HEADING.test(line) || fenceOf(line) !== undefined;
}

/** Looks at the first line after blank ones: an indented line or an item belongs to the list. */
function afterList(text: string, at: number): 'goes on' | 'ends' | 'unknown' {
  const line = text.slice(at, at + MOST_MARKER);
  // Half of a line end that comes in two pieces.
  if (line === '\r') return 'unknown';
  if (line === '' || MAYBE_ITEM.test(line)) return at + line.length < text.length ? 'ends' : 'unknown';
  return /^[ \t]/.test(line) || LIST.test(line) ? 'goes on' : 'ends';
}

/** The start of the first line that is not blank and has begun. */
function afterBlank(text: string, at: number): number {
  let next = at;
  while (next < text.length) {
    const line = lineAt(text, next);
    if (!line.isComplete || !BLANK.test(line.text)) break;
    next = line.end;
  }
  return next;
}

function fenceOf(line: string): Fence | undefined {
  const found = OPEN.exec(line);
  if (found === null) return undefined;
  const [, indent = '', marker = '', info = ''] = found;
  if (marker.startsWith('`') && info.includes('`')) return undefined;
  return {marker, indent: indent.length, language: /^[^\s{,]*/.exec(info.trim())?.[0] ?? ''};
}

interface TextLine {
  readonly text: string;
  readonly end: number;
  readonly isComplete: boolean;
}

/** A line with its end; one that is too long is cut, between characters. */
function lineAt(text: string, start: number): TextLine {
  const found = text.slice(start, start + MOST_TEXT).indexOf('\n');
  if (found >= 0) return {text: text.slice(start, start + found), end: start + found + 1, isComplete: true};
  if (text.length - start <= MOST_TEXT) return {text: text.slice(start), end: text.length, isComplete: false};
  const last = text.charCodeAt(start + MOST_TEXT - 1);
  const end = start + MOST_TEXT - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
  return {text: text.slice(start, end), end, isComplete: true};
}

const MOST_TEXT = 16 * 1024;
/** Rows of a table are read one by one, so a long one costs no more than its size. */
const MOST_TABLE = 128 * 1024;
const MOST_MARKER = 12;

const BLANK = /^[ \t\r]*$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t\r\n]|$)/;
const OPEN = /^( {0,3})(`{3,}|~{3,})(.*)/;
const CLOSE = /^ {0,3}(`{3,}|~{3,})[ \t\r]*$/;
const LIST = /^ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t\r\n]|$)/;
/** Beginnings that may become an item when the line continues. */
const MAYBE_ITEM = /^(?:[*+-]|\d{1,9}[.)]?)$/;
const DELIMITERS = /^(?=[^|]*\|)(?=[^-]*-)[ \t|:\r-]+$/;
