import {span, type Line, type Span, type StyleName} from '../../cells/line.ts';
import {shownRows} from '../../cells/shown-text.ts';
import {wrapLine} from '../../cells/wrap-line.ts';
import type {CodeState} from '../../model/printed.ts';
import {highlightLine, startCode} from '../code/highlight-code.ts';
import type {DiffLine, DiffHunk} from '../../../../text/diff/hunks.ts';
import {wordMarks, type WordMark} from './word-marks.ts';

export interface HunkLayout {
  readonly width: number;
  /** The language of the code, as `loadLanguage` knows it. */
  readonly language?: string | undefined;
  /** Columns of the largest line number of the file; undefined for a piece of a file whose place in it is not known. */
  readonly digits?: number | undefined;
}

/** The rows of each line of a hunk: numbers of the old and the new line, the sign, the text; long lines are wrapped. */
export function hunkRows(hunk: DiffHunk, {width, language, digits}: HunkLayout): readonly (readonly Line[])[] {
  const marks = marksOf(hunk.lines);
  // Both texts are read as code from the beginning of the hunk.
  let at: Reading = {old: startCode(language), now: startCode(language), oldLine: hunk.oldStart, newLine: hunk.newStart};
  return hunk.lines.map((line, index) => {
    const text = shownLine(line.text);
    const {row, gutter, next} = READERS[line.type](at, text);
    at = next;
    const mark = marks.get(index);
    const content = marked(row, {type: line.type, marks: mark?.marks ?? []});
    const note = mark?.hasOtherEnding === true && line.text.endsWith('\r\n') ? [span('␍', 'dim')] : [];
    const numbers = digits === undefined ? '' : `${gutter.map((number) => `${number ?? ''}`.padStart(digits)).join(' ')} `;
    return rowsOf([...content, ...note], {
      gutter: span(numbers, 'dim'),
      type: line.type,
      width,
      hasEnd: digits === undefined || /[\r\n]$/.test(line.text),
    });
  });
}

/** The positions up to which both texts have been read. */
interface Reading {
  readonly old: CodeState;
  readonly now: CodeState;
  readonly oldLine: number;
  readonly newLine: number;
}

interface ReadLine {
  readonly row: Line;
  /** Numbers of the old and the new line. */
  readonly gutter: readonly (number | undefined)[];
  readonly next: Reading;
}

const READERS: Readonly<Record<DiffLine['type'], (at: Reading, text: string) => ReadLine>> = {
  removed(at, text) {
    const {rows, state} = highlightLine(at.old, text);
    const oldLine = at.oldLine + 1;
    return {row: rows[0] ?? [], gutter: [oldLine, undefined], next: {...at, old: state, oldLine}};
  },
  added(at, text) {
    const {rows, state} = highlightLine(at.now, text);
    const newLine = at.newLine + 1;
    return {row: rows[0] ?? [], gutter: [undefined, newLine], next: {...at, now: state, newLine}};
  },
  same(at, text) {
    const {rows, state} = highlightLine(at.now, text);
    const [oldLine, newLine] = [at.oldLine + 1, at.newLine + 1];
    return {row: rows[0] ?? [], gutter: [oldLine, newLine], next: {old: highlightLine(at.old, text).state, now: state, oldLine, newLine}};
  },
};

interface RowLook {
  readonly gutter: Span;
  readonly type: DiffLine['type'];
  readonly width: number;
  readonly hasEnd: boolean;
}

function rowsOf(content: Line, {gutter, type, width, hasEnd}: RowLook): readonly Line[] {
  const {sign, look} = SIDES[type];
  const hasNumbers = width - gutter.text.length - 2 >= LEAST_TEXT;
  const signs = span(`${sign} `, ...look);
  const first = hasNumbers ? [gutter, signs] : [signs];
  const margin = (hasNumbers ? gutter.text.length : 0) + 2;
  const rest = [span(' '.repeat(margin))];
  const rows = wrapLine(content, Math.max(1, width - margin)).map((row, index) => [...(index === 0 ? first : rest), ...row]);
  return hasEnd ? rows : [...rows, ...wrapLine([...rest, span('\\ No newline at end of file', 'dim')], width, rest)];
}

interface LineMark {
  readonly marks: readonly WordMark[];
  readonly hasOtherEnding: boolean;
}

/** Pairs the removed lines of a change with the added ones, one by one. */
function marksOf(lines: readonly DiffLine[]): ReadonlyMap<number, LineMark> {
  const marks = new Map<number, LineMark>();
  let start = 0;
  while (start < lines.length) {
    const middle = endOf(lines, start, 'removed');
    const end = endOf(lines, middle, 'added');
    for (let index = 0; index < Math.min(middle - start, end - middle); index++) {
      const [old, now] = [lines[start + index]?.text ?? '', lines[middle + index]?.text ?? ''];
      const found = wordMarks(shownLine(old), shownLine(now));
      const hasOtherEnding = ending(old) !== ending(now);
      marks.set(start + index, {marks: found.removed, hasOtherEnding});
      marks.set(middle + index, {marks: found.added, hasOtherEnding});
    }
    start = Math.max(end, start + 1);
  }
  return marks;
}

function endOf(lines: readonly DiffLine[], start: number, type: DiffLine['type']): number {
  let end = start;
  while (lines[end]?.type === type) end++;
  return end;
}

interface Marking {
  readonly type: DiffLine['type'];
  readonly marks: readonly WordMark[];
}

/** The colours of the code, on the look of the side, and the marks above both. */
function marked(row: Line, {type, marks}: Marking): Line {
  const {look, part} = SIDES[type];
  const spans: Span[] = [];
  let at = 0;
  for (const {text, style = []} of row) {
    const end = at + text.length;
    const colours = [...look, ...style.filter((name) => name !== 'code')];
    const cuts = marks.flatMap(({from, to}) => [from, to]).filter((cut) => cut > at && cut < end);
    for (const cut of [...cuts, end]) {
      const isMarked = marks.some(({from, to}) => from <= at && at < to);
      spans.push(span(text.slice(at - end + text.length, cut - end + text.length), ...colours, ...(isMarked ? part : [])));
      at = cut;
    }
  }
  return spans;
}

/** Returns a line without its end; of a very long one its beginning. */
export function shownLine(text: string): string {
  const line = text.replace(/\r?\n$|\r$/, '');
  if (line.length <= MOST_LINE) return shownRows(line).join(' ');
  return `${shownRows(line.slice(0, MOST_LINE)).join(' ')}…`;
}

function ending(text: string): string {
  return /[\r\n]*$/.exec(text.slice(-2))?.[0] ?? '';
}

interface Side {
  readonly sign: string;
  readonly look: readonly StyleName[];
  readonly part: readonly StyleName[];
}

const SIDES: Readonly<Record<DiffLine['type'], Side>> = {
  same: {sign: ' ', look: [], part: []},
  removed: {sign: '-', look: ['removed'], part: ['removedPart']},
  added: {sign: '+', look: ['added'], part: ['addedPart']},
};
const LEAST_TEXT = 16;
const MOST_LINE = 4000;
