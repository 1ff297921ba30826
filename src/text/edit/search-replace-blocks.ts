import {alignLines} from '../diff/align-lines.ts';
import {blockProblems, type BlockProblem} from './block-problems.ts';
import {fuzzyPlace} from './fuzzy-place.ts';
import {plainBreaks, splitLines, type PlainBreaks} from '../line-endings.ts';
import {locateBlock, type BlockPlaces} from './locate-block.ts';
import {parseSearchReplaceBlocks, type SearchReplaceBlock} from './parse-blocks.ts';
import {lineNumbers} from './not-unique-error.ts';
import {ownEnding, replaceRanges} from './replace-ranges.ts';

export interface BlockRules {
  /** A block that is nowhere exactly goes to the one place that is at least 90 % like it. */
  readonly fuzzy: boolean;
  /** The treatment of a SEARCH text that occurs in several places. */
  readonly onMultiple: 'refuse' | 'first';
}

export interface BlocksApplied {
  readonly text: string;
  readonly blocksApplied: number;
  /** Number of changed lines: the larger one of removed and added lines. */
  readonly linesChanged: number;
  readonly warnings: readonly string[];
}

/**
 * Applies SEARCH/REPLACE blocks one after another, each to what the one before has left; all of them or none
 * ("vibe tool system › Search Replace Tool").
 * @throws FettleError BAD_ARGS (no or broken blocks), NOT_FOUND or NOT_UNIQUE that explains every block that failed.
 */
export function applySearchReplaceBlocks(text: string, content: string, rules: BlockRules): BlocksApplied {
  const blocks = parseSearchReplaceBlocks(content);
  const problems: BlockProblem[] = [];
  const warnings: string[] = [];
  let running = text;
  for (const [index, block] of blocks.entries()) {
    const plain = plainBreaks(running);
    const applied = applyBlock(plain, {block, number: index + 1, rules});
    if ('problem' in applied) problems.push(applied.problem);
    else {
      running = replaceRanges(running, plain, [{...applied.place, ownEnding: ownEnding(content)}]);
      warnings.push(...applied.warnings);
    }
  }
  if (problems.length > 0) throw blockProblems(plainBreaks(running).text, problems, blocks.length);
  return {text: running, blocksApplied: blocks.length, linesChanged: countChanges(text, running), warnings};
}

interface Numbered {
  readonly block: SearchReplaceBlock;
  readonly number: number;
  readonly rules: BlockRules;
}

interface Placed {
  readonly place: {readonly start: number; readonly end: number; readonly newPlain: string};
  readonly warnings: readonly string[];
}

function applyBlock({text: plain}: PlainBreaks, numbered: Numbered): Placed | {problem: BlockProblem} {
  const {block, number, rules} = numbered;
  for (const split of block.splits) {
    const found = locateBlock(plain, split);
    if (found !== undefined) return chosen(plain, found, numbered);
  }
  const split = block.splits.at(-1) ?? {search: [], replace: []};
  const problem = {number, line: block.line, code: 'NOT_FOUND', search: split.search} as const;
  if (!rules.fuzzy) return {problem: {...problem, what: 'is not in the file'}};
  const near = fuzzyPlace(plain, split);
  if (typeof near === 'string') return {problem: {...problem, what: `is not in the file, and ${near}`}};
  return {place: near, warnings: [`Block ${number} was applied to lines ${near.firstLine}-${near.lastLine}, which are ${near.likeness}.`]};
}

function chosen(plain: string, {places, newPlain}: BlockPlaces, {block, number, rules}: Numbered): Placed | {problem: BlockProblem} {
  const [first] = places;
  const lines = lineNumbers(
    plain,
    places.slice(0, 10).map(({start}) => start),
  ).join(', ');
  if (places.length > 1 && rules.onMultiple === 'refuse') {
    const what = `occurs ${places.length} times (it begins on lines ${lines}); add lines around it until it is unique`;
    return {problem: {number, line: block.line, code: 'NOT_UNIQUE', what, search: []}};
  }
  const warnings =
    places.length > 1
      ? [`The SEARCH text of block ${number} occurs ${places.length} times (lines ${lines}); only the first was changed.`]
      : [];
  return {place: {start: first?.start ?? 0, end: first?.end ?? 0, newPlain}, warnings};
}

function countChanges(before: string, after: string): number {
  const [left, right] = [splitLines(before), splitLines(after)];
  return Math.max(left.length, right.length) - alignLines(left, right).length;
}
