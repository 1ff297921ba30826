import {FettleError} from '../../base/errors.ts';
import {alignLines} from '../diff/align-lines.ts';
import {displayText} from '../encoding.ts';
import {splitLines} from '../line-endings.ts';
import {nearestMatch, type NearestMatch} from './nearest-match.ts';
import {copyingMistake, differencesBetween} from './text-differences.ts';

/** The NOT_FOUND error for a text that is not in the file: its hint shows the nearest match and the exact difference. */
export function missingText(text: string, wanted: string): FettleError {
  return new FettleError({
    code: 'NOT_FOUND',
    message: 'The old text is not in the file. It must match exactly. Nothing was changed.',
    hint: hintFor(text, wanted),
  });
}

function hintFor(text: string, wanted: string): string {
  const mistake = copyingMistake(text, wanted);
  if (mistake !== undefined) return mistake;
  const near = nearestMatch(text, wanted);
  if (near === undefined) return 'Nothing in the file resembles it. Read the file again and copy the text from there.';
  const differences = differencesBetween(splitLines(wanted), near.lines);
  const what = differences.length === 0 ? '' : ` Only this differs: ${differences.join('; ')}.`;
  return `The nearest match is ${placeOf(near)} (${percent(near)} alike).${what}\n${shortDiff(wanted, near)}`;
}

function placeOf({firstLine, lines}: NearestMatch): string {
  return lines.length === 1 ? `line ${firstLine}` : `lines ${firstLine}-${firstLine + lines.length - 1}`;
}

function percent({similarity}: NearestMatch): string {
  return `${Math.min(99, Math.round(similarity * 100))} %`;
}

/** Compares the requested text with the present one, in the form of a unified diff. */
function shortDiff(wanted: string, near: NearestMatch): string {
  const asked = splitLines(wanted);
  const rows: string[] = [];
  let [left, right] = [0, 0];
  for (const [i, j] of [...alignLines(asked, near.lines), [asked.length, near.lines.length] as const]) {
    rows.push(...asked.slice(left, i).map((line) => `-${shortLine(line)}`));
    rows.push(...near.lines.slice(right, j).map((line) => `+${shortLine(line)}`));
    if (i < asked.length) rows.push(` ${shortLine(asked[i] ?? '')}`);
    [left, right] = [i + 1, j + 1];
  }
  const shown = rows.filter((_, index) => rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(isChange));
  const cut = shown.length > MAX_ROWS ? [...shown.slice(0, MAX_ROWS), `… ${shown.length - MAX_ROWS} more rows`] : shown;
  return ['--- old text', `+++ file, ${placeOf(near)}`, ...cut].join('\n');
}

function isChange(row: string): boolean {
  return !row.startsWith(' ');
}

function shortLine(line: string): string {
  const shown = line.length > MAX_COLUMNS ? `${line.slice(0, MAX_COLUMNS)}…` : line;
  return displayText(shown);
}

const CONTEXT = 2;
const MAX_ROWS = 40;
const MAX_COLUMNS = 200;
