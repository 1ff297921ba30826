import type {FileHandle} from 'node:fs/promises';
import {MAX_LINE_BYTES} from './log-line.ts';

/** Whole lines of a log, as the file has them. */
export interface LogPiece {
  /** Valid until the next piece is read. */
  readonly bytes: Buffer;
  /** End of the last whole line, after its newline. */
  readonly end: number;
  /** Offset of the piece in the file. */
  readonly offset: number;
  /** True if only the end of the first line is there: it is longer than a line may be. */
  readonly cut: boolean;
}

/**
 * Reads a file from `from` to its end in pieces of `size` bytes, or as long as a line is; while one is taken the next is read. Returns whether
 * anything follows the last newline.
 */
export async function readPieces(
  handle: FileHandle,
  {from, size}: {readonly from: number; readonly size: number},
  take: (piece: LogPiece) => void,
): Promise<boolean> {
  const lines = createLineJoiner(from, take);
  const buffers = [0, 1].map(() => Buffer.allocUnsafeSlow(ROOM + size)) as [Buffer, Buffer];
  let at = from;
  let reading = handle.read(buffers[0], ROOM, size, at);
  try {
    for (let [mine, other] = buffers; ; [mine, other] = [other, mine]) {
      const {bytesRead} = await reading;
      if (bytesRead === 0) return lines.isOpen();
      at += bytesRead;
      reading = handle.read(other, ROOM, size, at);
      lines.add(mine, ROOM + bytesRead);
    }
  } finally {
    await reading.catch(() => undefined); // it writes into our buffer until it ends
  }
}

/** Bytes before the read buffer, for the beginning of a line from the previous piece. */
const ROOM = 64 * 1024;
const NEWLINE = 0x0a;

interface LineJoiner {
  /** Takes the bytes of a buffer from `ROOM` to `end`; it may overwrite those before `ROOM`. */
  add(buffer: Buffer, end: number): void;
  /** True if a line has begun and not ended. */
  isOpen(): boolean;
}

function createLineJoiner(from: number, take: (piece: LogPiece) => void): LineJoiner {
  let begun: Buffer[] = [];
  let [held, offset, overlong] = [0, from, false];
  /** Joins the line that has begun and the buffer up to `end`. */
  const joined = (buffer: Buffer, end: number): Buffer => {
    if (held > ROOM) return Buffer.concat([...begun, buffer.subarray(ROOM, end)]);
    let to = ROOM - held;
    const start = to;
    for (const part of begun) to += part.copy(buffer, to);
    return buffer.subarray(start, end);
  };
  return {
    add(buffer, end) {
      const last = buffer.lastIndexOf(NEWLINE, end - 1);
      let rest = ROOM;
      if (last >= ROOM) {
        rest = last + 1;
        const bytes = joined(buffer, rest);
        take({bytes, end: bytes.length, offset, cut: overlong});
        offset += bytes.length;
        [begun, held, overlong] = [[], 0, false];
      }
      if (rest < end) begun.push(Buffer.from(buffer.subarray(rest, end)));
      held += end - rest;
      if (held < MAX_LINE_BYTES && !overlong) return;
      offset += held;
      [begun, held, overlong] = [[], 0, true];
    },
    isOpen: () => held > 0 || overlong,
  };
}
