import {readSync} from 'node:fs';

/** A line as a range of bytes, including its newline, if any. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** The lines of an open file from its end to its start, found without holding more than a chunk of it. */
export function* linesFromEnd(fd: number, size: number): Generator<LineSpan> {
  for (let end = size; end > 0;) {
    const start = lineStart(fd, end);
    yield {start, end};
    end = start;
  }
}

/** Reads the bytes of a range; fewer if the file has become shorter. */
export function readSpan(fd: number, {start, end}: LineSpan): Buffer {
  const buffer = Buffer.allocUnsafe(end - start);
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(fd, buffer, filled, buffer.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

const CHUNK = 16 * 1024;
const NEWLINE = 0x0a;

/** Returns the beginning of the line whose last byte is before `end`; that last byte may be its newline. */
function lineStart(fd: number, end: number): number {
  let upper = end - 1;
  while (upper > 0) {
    const lower = Math.max(0, upper - CHUNK);
    const at = readSpan(fd, {start: lower, end: upper}).lastIndexOf(NEWLINE);
    if (at !== -1) return lower + at + 1;
    upper = lower;
  }
  return 0;
}
