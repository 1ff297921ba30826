import {open, type FileHandle} from 'node:fs/promises';
import {toFettleError} from '../base/errors.ts';
import {MAX_LINE_BYTES, decodeLine, type LoggedEvent} from './log-line.ts';

export interface LogReport {
  /** Lines that hold an event. */
  readonly events: number;
  /** Lines that were skipped: line number from 1, and why. A torn last line is among them. */
  readonly broken: readonly {readonly line: number; readonly reason: string}[];
}

/**
 * Reads a log once from start to end, in pieces, and calls `visit` for each event. Nothing but the file itself makes it fail:
 * broken lines are skipped and reported.
 */
export async function readLog(file: string, visit: (logged: LoggedEvent) => void): Promise<LogReport> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    return await scan(handle, visit);
  } catch (error) {
    throw toFettleError(error);
  } finally {
    await handle?.close();
  }
}

/** All events of a log, for exports. */
export async function loadLog(file: string): Promise<{readonly events: readonly LoggedEvent[]; readonly report: LogReport}> {
  const events: LoggedEvent[] = [];
  const report = await readLog(file, (logged) => events.push(logged));
  return {events, report};
}

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;

/** Whole pieces are decoded and then cut into lines: a third quicker than to decode line by line. */
async function scan(handle: FileHandle, visit: (logged: LoggedEvent) => void): Promise<LogReport> {
  const lines = createLineReader(visit);
  let buffer = Buffer.allocUnsafe(CHUNK);
  let filled = 0;
  let overlong = false;
  for (;;) {
    const {bytesRead} = await handle.read(buffer, filled, Math.min(CHUNK, buffer.length - filled), null);
    if (bytesRead === 0) break;
    const searched = filled;
    filled += bytesRead;
    const last = buffer.subarray(searched, filled).lastIndexOf(NEWLINE);
    if (last !== -1) {
      const end = searched + last + 1;
      lines.take(buffer.toString('utf8', 0, end), overlong);
      buffer.copyWithin(0, end, filled);
      filled -= end;
      overlong = false;
    }
    if (filled >= MAX_LINE_BYTES) overlong = true;
    if (overlong) filled = 0;
    else if (filled === buffer.length) buffer = grown(buffer);
  }
  return lines.report(filled > 0 || overlong);
}

interface LineReader {
  /** Takes whole lines; of the first one only the end is there where `cut` is set. */
  take(text: string, cut: boolean): void;
  report(tornTail: boolean): LogReport;
}

function createLineReader(visit: (logged: LoggedEvent) => void): LineReader {
  const broken: {line: number; reason: string}[] = [];
  let lines = 0;
  let events = 0;
  return {
    take(text, cut) {
      let start = 0;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
        lines += 1;
        const decoded = cut && start === 0 ? 'longer than a line may be' : decodeLine(text.slice(start, at));
        start = at + 1;
        if (typeof decoded === 'string') broken.push({line: lines, reason: decoded});
        else {
          events += 1;
          visit(decoded);
        }
      }
    },
    report(tornTail) {
      return {events, broken: tornTail ? [...broken, {line: lines + 1, reason: 'no newline at its end'}] : broken};
    },
  };
}

function grown(buffer: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}
