import {decodeBytes, displayText, markLength, markOf, type TextEncoding} from '../text/encoding.ts';
import {splitLines} from '../text/line-endings.ts';
import {createLineWindow, type LineWindow, type TextUnits, type WindowedLines} from '../text/line-window.ts';
import {createUtf8Probe, openSequenceLength} from '../text/utf8-probe.ts';
import {stateOf, type FileState} from './file-state.ts';
import {readFully, throwIfCancelled, withRegularFile} from './open-regular-file.ts';

export interface LineRange {
  /** 1-based; less counts as 1. */
  readonly firstLine: number;
  readonly maxLines: number;
  /** Most bytes of all lines returned: only whole lines, unless the first one alone is too long. Default 1 MiB. */
  readonly maxBytes?: number;
}

export interface LinesRead {
  /** To be shown (`displayText`), without their endings; empty if the file ends before `firstLine`. */
  readonly lines: string[];
  readonly firstLine: number;
  /** Null if a file was too large to be counted to its end. */
  readonly totalLines: number | null;
  /** The file goes on after these lines. */
  readonly truncated: boolean;
  /** True if the last line returned is only the beginning of a line. */
  readonly lastLineCut: boolean;
  readonly state: FileState;
}

/**
 * Reads lines of a text file of any size in flat memory: it is streamed, and counted to its end up to 256 MiB.
 * The encoding is that of the whole file, or of the part that was read.
 * @throws FettleError NOT_FOUND, DENIED, NOT_A_FILE, NOT_TEXT, CANCELLED.
 */
export async function readLineRange(path: string, range: LineRange, signal: AbortSignal): Promise<LinesRead> {
  throwIfCancelled(signal);
  return withRegularFile(path, async (fd, stats) => {
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, stats.size));
    const filled = await readFully(fd, chunk, 0);
    const mark = markOf(chunk.subarray(0, filled), stats.size);
    const wide = mark === 'utf-16le' || mark === 'utf-16be';
    const maxBytes = range.maxBytes ?? DEFAULT_MAX_BYTES;
    const firstLine = Math.max(1, range.firstLine);
    const window = createLineWindow({firstLine, maxLines: range.maxLines, maxUnits: wide ? maxBytes >> 1 : maxBytes});
    const scanned = await scan({fd, size: stats.size, chunk, filled, mark, window}, signal);
    const found = window.end();
    return {
      ...linesOf(found, scanned.encoding),
      firstLine,
      totalLines: scanned.complete ? found.totalLines : null,
      truncated: found.truncated || !scanned.complete,
      state: stateOf(stats),
    };
  });
}

const CHUNK_BYTES = 256 * 1024;
const DEFAULT_MAX_BYTES = 1024 * 1024;
const MAX_COUNTED_BYTES = 256 * 1024 * 1024;

interface Scan {
  readonly fd: number;
  /** When it was opened: no more is read. */
  readonly size: number;
  /** Holds the first bytes of the file already. */
  readonly chunk: Buffer;
  readonly filled: number;
  readonly mark: TextEncoding | undefined;
  readonly window: LineWindow;
}

/** Streams the file into the window. */
async function scan({fd, size, chunk, filled, mark, window}: Scan, signal: AbortSignal) {
  const probe = createUtf8Probe();
  let bytes = chunk.subarray(mark === undefined ? 0 : markLength(mark), filled);
  let position = filled;
  for (;;) {
    if (mark === undefined) probe.add(bytes);
    window.add(asUnits(bytes, mark));
    const enough = window.isClosed() && size > MAX_COUNTED_BYTES;
    if (enough || position >= size || bytes.length === 0) break; // empty: it shrank
    bytes = chunk.subarray(0, await readFully(fd, chunk.subarray(0, size - position), position));
    throwIfCancelled(signal);
    position += bytes.length;
  }
  return {encoding: mark ?? probe.encoding(), complete: position >= size};
}

/** The bytes as they are, or the code units of UTF-16 (the bytes of UTF-16BE are swapped in place). */
function asUnits(bytes: Buffer, mark: TextEncoding | undefined): TextUnits {
  if (mark !== 'utf-16le' && mark !== 'utf-16be') return bytes;
  const even = bytes.subarray(0, bytes.length & ~1);
  if (mark === 'utf-16be') even.swap16();
  return new Uint16Array(even.buffer, even.byteOffset, even.length >> 1);
}

function linesOf({pieces, cut}: WindowedLines, mixed: TextEncoding): {lines: string[]; lastLineCut: boolean} {
  const encoding = mixed === 'utf-16be' ? 'utf-16le' : mixed; // its units were swapped
  const bytes = Buffer.concat(pieces.map((piece) => new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)));
  const text = decodeBytes(cut ? withoutOpenEnd(bytes, encoding) : bytes, encoding);
  const lines = splitLines(displayText(text));
  const partial = cut && !/[\r\n]$/.test(text);
  if (partial && lines.length > 1) return {lines: lines.slice(0, -1), lastLineCut: false};
  return {lines, lastLineCut: partial};
}

/** Drops the beginning of a character whose rest was cut off. */
function withoutOpenEnd(bytes: Buffer, encoding: TextEncoding): Buffer {
  if (encoding.startsWith('utf-8')) return bytes.subarray(0, bytes.length - openSequenceLength(bytes));
  const lastUnit = encoding === 'utf-16le' && bytes.length >= 2 ? bytes.readUInt16LE(bytes.length - 2) : 0;
  return lastUnit >= 0xd800 && lastUnit <= 0xdbff ? bytes.subarray(0, -2) : bytes;
}
