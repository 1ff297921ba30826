import {closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync} from 'node:fs';
import {parseJson} from '../base/json.ts';
import {MAX_LINE_BYTES, decodeLine, type LoggedEvent} from './log-line.ts';
import {linesFromEnd, readSpan, type LineSpan} from './log-tail.ts';

export interface RepairedLog {
  /** Size in bytes after the repair. */
  readonly size: number;
  /** The last readable line, if there is one. */
  readonly last: LoggedEvent | undefined;
  /** Note for people about the part that was cut off. */
  readonly note: string | undefined;
}

/**
 * Makes a log end with a whole line: a last line without newline, or that is not JSON, moves to `<file>.torn` (added at its end).
 * The copy is on the disk before the log is cut, so that a crash in between loses nothing.
 */
export function repairLog(file: string): RepairedLog {
  const fd = openSync(file, 'r+');
  try {
    const {size} = fstatSync(fd);
    const torn = tornTail(fd, size);
    if (torn !== undefined) {
      keepAside(`${file}.torn`, fd, torn);
      ftruncateSync(fd, torn.start);
      fsyncSync(fd);
    }
    const end = torn?.start ?? size;
    const note = torn === undefined ? undefined : `The last line was torn: ${torn.end - torn.start} bytes were moved to ${file}.torn.`;
    return {size: end, last: lastReadable(fd, end), note};
  } finally {
    closeSync(fd);
  }
}

function tornTail(fd: number, size: number): LineSpan | undefined {
  for (const span of linesFromEnd(fd, size)) {
    if (span.end - span.start > MAX_LINE_BYTES) return span;
    const text = readSpan(fd, span).toString('utf8');
    return text.endsWith('\n') && parseJson(text) !== undefined ? undefined : span;
  }
  return undefined;
}

const {O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW} = constants;

function keepAside(torn: string, fd: number, {start, end}: LineSpan): void {
  // A link in its place is not followed.
  const target = openSync(torn, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    const step = 1024 * 1024;
    for (let at = start; at < end; at += step) writeWhole(target, readSpan(fd, {start: at, end: Math.min(end, at + step)}));
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

function lastReadable(fd: number, size: number): LoggedEvent | undefined {
  for (const span of linesFromEnd(fd, size)) {
    if (span.end - span.start > MAX_LINE_BYTES) continue;
    const decoded = decodeLine(readSpan(fd, span).toString('utf8'));
    if (typeof decoded !== 'string') return decoded;
  }
  return undefined;
}
