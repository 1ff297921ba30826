import {closeSync, fstatSync, openSync} from 'node:fs';
import {decodeLine} from './log-line.ts';
import type {LogReport} from './log-reader.ts';
import {readSpan} from './log-tail.ts';

/** Records of a log that cannot be read. A last one that was cut off is none of them: a killed run leaves it, and resuming repairs it. */
export interface LogDamage {
  readonly records: number;
  /** Line numbers from 1, of the first of them. */
  readonly lines: readonly number[];
}

/**
 * Looks through a log for damage without parsing it, several times as quick: a record begins and ends as records do, and its number
 * follows the one before. Only what does not is decoded. A byte that changed within a record and leaves its ends alone is seen by those who
 * read all of it. Looks at the first 64 MB. undefined: none, or the log cannot be read at all.
 */
export function findDamage(file: string): LogDamage | undefined {
  try {
    const fd = openSync(file, 'r');
    try {
      const {size} = fstatSync(fd);
      return damageOf(unreadableLines(readSpan(fd, {start: 0, end: Math.min(size, MOST_BYTES)}), size));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** The same of a log that was read. */
export function reportedDamage({events, broken}: LogReport): {readonly damage: LogDamage | undefined; readonly isCutOff: boolean} {
  const isCutOff = broken.at(-1)?.line === events + broken.length;
  return {damage: damageOf((isCutOff ? broken.slice(0, -1) : broken).map(({line}) => line)), isCutOff};
}

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_LINES = 20;

function damageOf(lines: readonly number[]): LogDamage | undefined {
  return lines.length === 0 ? undefined : {records: lines.length, lines: lines.slice(0, MOST_LINES)};
}

const NEWLINE = 0x0a;
const BRACE = 0x7d;

function unreadableLines(bytes: Buffer, size: number): number[] {
  const lines: number[] = [];
  const isWhole = createEndsCheck(bytes);
  const decoded = (start: number, end: number) => decodeLine(bytes.toString('utf8', start, end));
  let [line, start, due, before] = [0, 0, 1, -1];
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    line += 1;
    const number = numberAt(bytes, start);
    // A record that follows no other: the one before may have swallowed some, and still ends as one.
    if (before !== -1 && number !== due && typeof decoded(before, start - 1) === 'string') lines.push(line - 1);
    const isPlain = number === due && isWhole(start, end);
    const found = isPlain ? undefined : decoded(start, end);
    if (typeof found === 'string' && end + 1 < size) lines.push(line);
    before = isPlain ? start : -1;
    due = (typeof found === 'object' ? found.seq : due) + 1;
    start = end + 1;
  }
  return lines;
}

/**
 * Creates a check whether a line ends as a record does, and holds no zeros, which file systems leave in place of what was never written.
 */
function createEndsCheck(bytes: Buffer): (start: number, end: number) => boolean {
  const hasZeros = bytes.includes(0);
  return (start, end) => bytes[end - 1] === BRACE && !(hasZeros && bytes.subarray(start, end).includes(0));
}

const BEGINNING = Buffer.from('{"v":1,"seq":');
const MOST_DIGITS = 16;

/** The number of the record that begins there; NaN: none does. */
function numberAt(bytes: Buffer, start: number): number {
  const from = start + BEGINNING.length;
  if (bytes.compare(BEGINNING, 0, BEGINNING.length, start, Math.min(from, bytes.length)) !== 0) return Number.NaN;
  return Number.parseInt(bytes.toString('latin1', from, from + MOST_DIGITS), 10);
}
