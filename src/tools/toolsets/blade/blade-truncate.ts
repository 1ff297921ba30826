import {withoutMiddle} from '../../output/truncate-bytes.ts';
import type {OutputBound} from '../../toolset.ts';

const HEAD_LINES = 100;
const TAIL_LINES = 50;

/**
 * "The executor keeps a head/tail summary rather than returning the entire payload" (zblade tool calls › Result truncation): the first 100
 * and the last 50 lines, long lines without their middle.
 */
export function shortenBlade(text: string, {maxBytes}: OutputBound, whole: string): string {
  const lines = text.split('\n');
  const shown = `showing first ${HEAD_LINES} and last ${TAIL_LINES} lines`;
  const about = `[TRUNCATED: ${Buffer.byteLength(text)} bytes, ${lines.length} lines - ${shown}]`;
  const notice = `${about} Ask for less: a narrower path, pattern or range; ${whole}.`;
  const isLong = lines.length > HEAD_LINES + TAIL_LINES;
  const head = isLong ? lines.slice(0, HEAD_LINES) : lines;
  const tail = isLong ? lines.slice(-TAIL_LINES) : [];
  const room = maxBytes - Buffer.byteLength(notice) - 4;
  const cap = lineCap([...head, ...tail], room);
  const cut = (line: string): string => withoutMiddle(line, cap);
  if (isLong) return [...head.map(cut), '', notice, '', ...tail.map(cut)].join('\n');
  return [...lines.map(cut), '', about.replace(shown, 'the middle of long lines is left out'), notice.slice(about.length + 1)].join('\n');
}

/** Returns the most bytes per line with which all lines fit. */
function lineCap(lines: readonly string[], room: number): number {
  const sizes = lines.map((line) => Buffer.byteLength(line) + 1).toSorted((a, b) => a - b);
  let left = room;
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share - 1;
    left -= size;
  }
  return Infinity;
}
