import {span, type Line, type Span, type StyleName} from '../../cells/line.ts';
import {shownRows} from '../../cells/shown-text.ts';
import {wrapLine} from '../../cells/wrap-line.ts';
import {highlightLine, startCode} from '../code/highlight-code.ts';
import type {DiffLine, Hunk} from '../../../../text/diff/hunks.ts';
import {wordMarks, type Mark} from './word-marks.ts';

export interface HunkLayout {
  readonly width: number;
  /** The language of the code, as `loadLanguage` knows it. */
  readonly language?: string | undefined;
  /** Columns of the largest line number of the file. */
  readonly digits: number;
}

/** The rows of each line of a hunk: numbers of the old and the new line, the sign, the text; what is too long goes on below it. */
export function hunkRows(hunk: Hunk, {width, language, digits}: HunkLayout): readonly (readonly Line[])[] {
  const marks = marksOf(hunk.lines);
  // Both texts are read as code from the beginning of the hunk.
  let [oldCode, newCode] = [startCode(language), startCode(language)];
  let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
  return hunk.lines.map((line, index) => {
    const text = shownLine(line.text);
    const coloured = highlightLine(line.type === 'removed' ? oldCode : newCode, text);
    if (line.type === 'removed') oldCode = coloured.state;
    else newCode = coloured.state;
    if (line.type === 'same') oldCode = highlightLine(oldCode, text).state;
    if (line.type !== 'added') oldLine++;
    if (line.type !== 'removed') newLine++;
    const numbers = [line.type === 'added' ? '' : `${oldLine}`, line.type === 'removed' ? '' : `${newLine}`];
    const gutter = span(`${numbers.map((number) => number.padStart(digits)).join(' ')} `, 'dim');
    const content = marked(coloured.rows[0] ?? [], {type: line.type, marks: marks.get(index)?.marks ?? []});
    const note = marks.get(index)?.hasOtherEnding === true && line.text.endsWith('\r\n') ? [span('␍', 'dim')] : [];
    return rowsOf([...content, ...note], {gutter, type: line.type, width, hasEnd: /[\r\n]$/.test(line.text)});
  });
}

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
  readonly marks: readonly Mark[];
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
  readonly marks: readonly Mark[];
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

/** A line without its end; of a very long one its beginning. */
function shownLine(text: string): string {
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
