import {open, type FileHandle} from 'node:fs/promises';
import {toFettleError} from '../base/errors.ts';
import {TOO_LONG, decodeLine, type LoggedEvent} from './log-line.ts';
import {readPieces} from './log-pieces.ts';

export interface LogReport {
  /** Lines that hold an event. */
  readonly events: number;
  /** Lines that were skipped: line number from 1, and why. A torn last line is among them. */
  readonly broken: readonly {readonly line: number; readonly reason: string}[];
}

/** The position at which reading begins. */
export interface LogPlace {
  /** Bytes. */
  readonly offset: number;
  /** Lines before it. */
  readonly lines: number;
}

/** A part of a log that is read. */
export interface LogReading extends LogPlace {
  /** Called with the place from which reading can go on later, each time when some whole lines were taken. */
  readonly onPiece?: ((next: LogPlace) => void) | undefined;
}

/**
 * Reads a log once from start to end, in pieces, and calls `visit` for each event. Nothing but the file itself makes it fail:
 * broken lines are skipped and reported.
 */
export async function readLog(
  file: string,
  visit: (logged: LoggedEvent) => void,
  {offset, lines, onPiece}: LogReading = {offset: 0, lines: 0},
): Promise<LogReport> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const reader = createLineReader(visit, lines);
    // Whole pieces are decoded and then cut into lines: a third quicker than to decode line by line.
    const torn = await readPieces(handle, {from: offset, size: CHUNK}, ({bytes, end, cut, offset: begin}) => {
      reader.take(bytes.toString('utf8', 0, end), cut);
      onPiece?.({offset: begin + end, lines: reader.lines()});
    });
    return reader.report(torn);
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

interface LineReader {
  /** Takes whole lines; of the first one only the end is there where `cut` is set. */
  take(text: string, cut: boolean): void;
  /** Lines up to here. */
  lines(): number;
  report(tornTail: boolean): LogReport;
}

function createLineReader(visit: (logged: LoggedEvent) => void, before: number): LineReader {
  const broken: {line: number; reason: string}[] = [];
  let lines = before;
  let events = 0;
  return {
    take(text, cut) {
      let start = 0;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
        lines += 1;
        const decoded = cut && start === 0 ? TOO_LONG : decodeLine(text.slice(start, at));
        start = at + 1;
        if (typeof decoded === 'string') broken.push({line: lines, reason: decoded});
        else {
          events += 1;
          visit(decoded);
        }
      }
    },
    lines: () => lines,
    report(tornTail) {
      return {events, broken: tornTail ? [...broken, {line: lines + 1, reason: 'no newline at its end'}] : broken};
    },
  };
}
