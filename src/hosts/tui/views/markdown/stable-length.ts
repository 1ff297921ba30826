import type {Fence} from '../../model/printed.ts';
import {piecesOf} from './pieces.ts';

/**
 * Length of the beginning of a Markdown text that is rendered the same whatever follows: whole blocks, and whole lines of fenced code.
 * Cheap enough for every delta of a stream; `fence` is what is open where the text begins.
 */
export function stableLength(text: string, fence?: Fence): number {
  let stable = 0;
  for (const {end, isComplete} of piecesOf(text, fence)) {
    if (!isComplete) break;
    stable = end;
  }
  return stable;
}
