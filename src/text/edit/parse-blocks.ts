import {FettleError} from '../../base/errors.ts';
import {toEnding} from '../line-endings.ts';

/** One SEARCH/REPLACE block. */
export interface SearchReplaceBlock {
  /** 1-based line of its first marker. */
  readonly line: number;
  /** Its two halves; several splits if a line of the text itself looks like the divider. */
  readonly splits: readonly BlockSplit[];
}

export interface BlockSplit {
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

/**
 * Reads blocks of `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`, each marker a line of its own with 5 to 9 characters
 * ("vibe tool system › Search Replace Tool"). Text around them (fences, file names, words) is skipped. Markers of another
 * length than the first one of a block belong to its text, where one of that length follows.
 * @throws FettleError BAD_ARGS with the line of what is missing.
 */
export function parseSearchReplaceBlocks(content: string): SearchReplaceBlock[] {
  const lines = toEnding(content, '\n').split('\n');
  const blocks: SearchReplaceBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const length = markerLength(lines[at], OPEN);
    if (length === 0) continue;
    const end = closingLine(lines, at, length);
    blocks.push({line: at + 1, splits: splitsOf(lines.slice(at + 1, end), {length, line: at + 1})});
    at = end;
  }
  if (blocks.length === 0) throw malformed('There is no SEARCH/REPLACE block in the content.');
  if (blocks.length > MAX_BLOCKS) throw malformed(`There are more than ${MAX_BLOCKS} blocks.`);
  return blocks;
}

const OPEN = /^(<{5,9}) ?SEARCH\s*$/;
const DIVIDER = /^(={5,9})\s*$/;
const CLOSE = /^(>{5,9}) ?REPLACE\s*$/;
const MAX_BLOCKS = 200;

/** 0: the line is not a marker. */
function markerLength(line: string | undefined, marker: RegExp): number {
  return marker.exec(line ?? '')?.[1]?.length ?? 0;
}

/** The first closing marker as long as the opening one before the next such opening one; else the first of any length. */
function closingLine(lines: readonly string[], open: number, length: number): number {
  let other = 0;
  for (let at = open + 1; at < lines.length; at++) {
    const found = markerLength(lines[at], CLOSE);
    if (found === length) return at;
    if (markerLength(lines[at], OPEN) === length) break;
    if (found > 0 && other === 0) other = at;
  }
  if (other > 0) return other;
  throw malformed(`The block of line ${open + 1} has no line ">>>>>>> REPLACE".`);
}

/** Longer SEARCH halves first: a match with more lines is the more likely one. */
function splitsOf(body: readonly string[], {length, line}: {length: number; line: number}): BlockSplit[] {
  const dividers = [...body.keys()].filter((at) => markerLength(body[at], DIVIDER) > 0);
  const same = dividers.filter((at) => markerLength(body[at], DIVIDER) === length);
  const used = same.length > 0 ? same : dividers;
  if (used.length === 0) throw malformed(`The block of line ${line} has no line "=======" between its halves.`);
  return used
    .toReversed()
    .slice(0, MAX_SPLITS)
    .map((at) => ({search: body.slice(0, at), replace: body.slice(at + 1)}));
}

const MAX_SPLITS = 8;

function malformed(message: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${message} Nothing was changed.`,
    hint: 'A block is: <<<<<<< SEARCH, the lines as they are, =======, the new lines, >>>>>>> REPLACE; each marker on a line of its own.',
  });
}
