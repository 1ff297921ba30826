import {distance} from 'fastest-levenshtein';
import {alignLines} from '../diff/align-lines.ts';
import type {BlockSplit} from './parse-blocks.ts';
import {comparedMatches} from './nearest-match.ts';
import {shiftBlock} from './shift-block.ts';

export interface FuzzyPlace {
  /** Offsets in the text with plain breaks. */
  readonly start: number;
  readonly end: number;
  readonly newPlain: string;
  /** 1-based. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** "96 % like its SEARCH text" */
  readonly likeness: string;
}

/** From here on two texts are taken for the same, on request. */
const THRESHOLD = 0.9;
/** Comparing takes the product of both lengths. */
const MAX_CHARS = 20_000;

/**
 * The one place that is the SEARCH half except for the indentation, or nearly like it, as whole lines; or why there is none. Lines that the
 * block does not change stay as they are in the file. Never puts lines that are indented with tabs among lines that are indented with
 * spaces, or the other way round.
 */
export function fuzzyPlace(plain: string, split: BlockSplit): FuzzyPlace | string {
  const near = shifted(plain, split) ?? nearest(plain, split);
  if (typeof near === 'string') return near;
  const {firstLine, found, lines, likeness} = near;
  if (mixesIndents(found, lines)) return 'the file indents there with tabs and the block with spaces, or the other way round';
  const start = offsetOfLine(plain, firstLine);
  const end = start + found.join('\n').length;
  const takesBreak = lines.length === 0 && end < plain.length;
  const newPlain = lines.join('\n');
  return {start, end: takesBreak ? end + 1 : end, newPlain, firstLine, lastLine: firstLine + found.length - 1, likeness};
}

interface NearLines {
  readonly firstLine: number;
  /** The lines of the file there. */
  readonly found: readonly string[];
  /** The lines that replace them. */
  readonly lines: readonly string[];
  readonly likeness: string;
}

function shifted(plain: string, split: BlockSplit): NearLines | undefined {
  const block = shiftBlock(plain, split);
  return block && {...block, likeness: 'its SEARCH text with another indentation'};
}

function nearest(plain: string, {search, replace}: BlockSplit): NearLines | string {
  const wanted = search.join('\n');
  if (wanted.length > MAX_CHARS) return `it is too long to be compared (more than ${MAX_CHARS} characters)`;
  const ranked = comparedMatches(plain, wanted)
    .filter(({lines}) => lines.length === search.length)
    .map((match) => ({...match, similarity: similarity(wanted, match.lines.join('\n'))}))
    .filter((match) => match.similarity >= THRESHOLD)
    .sort((left, right) => right.similarity - left.similarity);
  const [best, second] = ranked;
  if (best === undefined) return 'nothing in the file is at least 90 % like it';
  if (second?.similarity === best.similarity) return `lines ${best.firstLine} and ${second.firstLine} are equally like it`;
  const {firstLine, lines: found} = best;
  const likeness = `${Math.floor(best.similarity * 100)} % like its SEARCH text`;
  return {firstLine, found, lines: carriedOver({search, replace}, found), likeness};
}

/** The REPLACE half, with the lines that both halves share as the file has them. */
function carriedOver({search, replace}: BlockSplit, found: readonly string[]): string[] {
  const lines = [...replace];
  for (const [from, to] of alignLines(search, replace)) lines[to] = found[from] ?? '';
  return lines;
}

function mixesIndents(before: readonly string[], after: readonly string[]): boolean {
  const kinds = (lines: readonly string[]) => new Set(lines.flatMap((line) => (/^[ \t]+/.exec(line)?.[0] ?? '').split('')));
  return kinds(before).size < 2 && kinds([...before, ...after]).size > 1;
}

/** 0..1: one minus the edits for each character of the longer text. */
function similarity(left: string, right: string): number {
  return 1 - distance(left, right) / Math.max(left.length, right.length, 1);
}

function offsetOfLine(plain: string, line: number): number {
  let offset = 0;
  for (let left = line - 1; left > 0; left--) offset = plain.indexOf('\n', offset) + 1;
  return offset;
}
