import {FettleError} from '../../base/errors.ts';
import {plainBreaks} from '../../text/line-endings.ts';
import {replaceRanges} from '../../text/edit/replace-ranges.ts';
import type {Position, Range} from '../symbol.ts';

export interface RangeEdit {
  readonly range: Range;
  readonly newText: string;
}

/**
 * Applies edits that all speak of the text as it is; every character that they do not name stays, and new lines end like those around them.
 * Throws STALE for a place that is not in the text, BAD_ARGS for two that overlap.
 */
export function applyRangeEdits(text: string, edits: readonly RangeEdit[]): string {
  const offset = plainOffsets(text);
  const replacements = edits
    .map(({range, newText}) => ({start: offset(range.start), end: offset(range.end), newPlain: plainBreaks(newText).text}))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, {start}] of replacements.entries()) {
    const before = replacements[index - 1];
    if (before !== undefined && start < before.end) throw new FettleError({code: 'BAD_ARGS', message: 'Two edits overlap.'});
  }
  return replaceRanges(text, plainBreaks(text), replacements);
}

/** The text of a range. Throws STALE for a place that is not in it. */
export function textOfRange(text: string, {start, end}: Range): string {
  const starts = lineStarts(text);
  return text.slice(offsetOf(start, starts, text), offsetOf(end, starts, text));
}

/** Positions → offsets in the text with plain breaks: a `\r\n` counts one there. */
function plainOffsets(text: string): (position: Position) => number {
  const starts = lineStarts(text);
  const pairs: number[] = [];
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) pairs.push(at);
  return (position) => {
    const offset = offsetOf(position, starts, text);
    let [low, high] = [0, pairs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset - low;
  };
}

/** Lines as the parser and language servers count them: only `\n` ends one. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function offsetOf({line, character}: Position, starts: readonly number[], text: string): number {
  const offset = (starts[line] ?? Infinity) + character;
  if (offset <= (starts[line + 1] ?? text.length + 1) - 1) return offset;
  const hint = 'The index is older than the file: ask again.';
  throw new FettleError({code: 'STALE', message: `Line ${line + 1}, character ${character + 1} is not in the text.`, hint});
}
