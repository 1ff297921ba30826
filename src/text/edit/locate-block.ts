import type {BlockSplit} from './parse-blocks.ts';
import {fillElisions} from './fill-elisions.ts';
import {findAll} from './find-all.ts';

/** Places where a block may be applied: ranges of the text with plain line breaks. */
export interface BlockPlaces {
  readonly places: readonly {readonly start: number; readonly end: number}[];
  /** The replacement. */
  readonly newPlain: string;
}

/**
 * The places where the SEARCH half occurs exactly: as whole lines, else within lines, else with the parts that `...` leaves out in both halves.
 * An empty one matches at the start of the file.
 */
export function locateBlock(plain: string, split: BlockSplit): BlockPlaces | undefined {
  const {search, replace} = split;
  if (search.every((line) => line === '')) {
    return {places: [{start: 0, end: 0}], newPlain: replace.map((line) => `${line}\n`).join('')};
  }
  const trimmed = {search: withoutLastBlanks(search), replace: withoutLastBlanks(replace)};
  const found = locateLines(plain, split) ?? locateLines(plain, trimmed);
  if (found !== undefined) return found;
  const filled = fillElisions(plain, trimmed);
  return filled && locateLines(plain, filled);
}

function locateLines(plain: string, {search, replace}: BlockSplit): BlockPlaces | undefined {
  const wanted = search.join('\n');
  const found = findAll(plain, wanted).map((start) => ({start, end: start + wanted.length}));
  if (found.length === 0) return undefined;
  const whole = found.filter(({start, end}) => (start === 0 || plain[start - 1] === '\n') && (end === plain.length || plain[end] === '\n'));
  if (whole.length === 0) return {places: found, newPlain: replace.join('\n')};
  // Lines that are taken out take their line break with them.
  const places = replace.length > 0 ? whole : whole.map(({start, end}) => ({start, end: Math.min(end + 1, plain.length)}));
  return {places, newPlain: replace.join('\n')};
}

function withoutLastBlanks(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
