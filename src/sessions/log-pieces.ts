import type {FileHandle} from 'node:fs/promises';
import {MAX_LINE_BYTES} from './log-line.ts';

/** Whole lines of a log, as they lie in the file. */
export interface LogPiece {
  /** Valid until the next piece is read. */
  readonly bytes: Buffer;
  /** Where the last whole line ends; its newline is before it. */
  readonly end: number;
  /** Where the piece begins in the file. */
  readonly offset: number;
  /** Of the first line only the end is there: it is longer than a line may be. */
  readonly cut: boolean;
}

/**
 * Reads a file from `from` to its end in pieces of `size` bytes, or as long as a line is. Returns whether there is something behind the last
 * newline.
 */
export async function readPieces(
  handle: FileHandle,
  {from, size}: {readonly from: number; readonly size: number},
  take: (piece: LogPiece) => void,
): Promise<boolean> {
  let buffer = Buffer.allocUnsafe(size);
  let [filled, offset, overlong] = [0, from, false];
  for (;;) {
    const {bytesRead} = await handle.read(buffer, filled, Math.min(size, buffer.length - filled), offset + filled);
    if (bytesRead === 0) return filled > 0 || overlong;
    const searched = filled;
    filled += bytesRead;
    const last = buffer.subarray(searched, filled).lastIndexOf(NEWLINE);
    if (last !== -1) {
      const end = searched + last + 1;
      take({bytes: buffer, end, offset, cut: overlong});
      buffer.copyWithin(0, end, filled);
      filled -= end;
      offset += end;
      overlong = false;
    }
    if (filled >= MAX_LINE_BYTES) overlong = true;
    if (overlong) [offset, filled] = [offset + filled, 0];
    else if (filled === buffer.length) buffer = grown(buffer);
  }
}

const NEWLINE = 0x0a;

function grown(buffer: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}
