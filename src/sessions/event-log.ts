import {closeSync, fdatasync, fstatSync, mkdirSync, openSync, truncateSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {promisify} from 'node:util';
import {FettleError, toFettleError} from '../base/errors.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import {MAX_LINE_BYTES, encodeLine} from './log-line.ts';
import {repairLog} from './log-repair.ts';
import {acquireWriterLock, type WriterLock} from './writer-lock.ts';

/** The append-only record of one session: JSONL, one writer. */
export interface EventLog {
  readonly file: string;
  /** Repairs made on opening, for people; usually empty. */
  readonly notes: readonly string[];
  /**
   * Hands the event to the operating system before it returns: from then on, even the death of this process cannot lose it.
   * Progress (`item.updated`, `agent.event`) is not kept. IO when the system refuses (full disk): nothing of the event is in the log then,
   * and a later append may work again.
   */
  append(event: ThreadEvent): void;
  /** Waits until all appended events are on the disk, against power loss. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * Opens a log for writing and repairs its tail (see {@link repairLog}). `create` makes the file, and its folder, where it is missing;
 * without it a missing file is NOT_FOUND. UNAVAILABLE while another writer has it open.
 */
export async function openEventLog(file: string, options: {readonly create: boolean}): Promise<EventLog> {
  const fd = openForAppend(file, options.create);
  assertOurs(fd, file);
  let lock: WriterLock | undefined;
  try {
    lock = await acquireWriterLock(`${file}.lock`);
    return logOf({file, fd, lock});
  } catch (error) {
    lock?.release();
    closeSync(fd);
    throw toFettleError(error);
  }
}

function openForAppend(file: string, create: boolean): number {
  try {
    if (!create) truncateNothing(file);
    else mkdirSync(dirname(file), {recursive: true, mode: 0o700});
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw toFettleError(error);
  }
}

/** Refuses a log of another user for writing: continuing it would mean following them, and writing into their file. */
function assertOurs(fd: number, file: string): void {
  const {uid} = fstatSync(fd);
  const user = process.getuid?.() ?? uid;
  if (uid === user) return;
  closeSync(fd);
  throw new FettleError({
    code: 'DENIED',
    message: `The session log ${file} belongs to another user (uid ${uid}).`,
    hint: 'Look at it with `fettle sessions show`; `fettle sessions fork` makes a copy of your own.',
  });
}

/** Fails without a writable file. */
function truncateNothing(file: string): void {
  closeSync(openSync(file, 'r+'));
}

function logOf({file, fd, lock}: {file: string; fd: number; lock: WriterLock}): EventLog {
  const {size, last, note} = repairLog(file);
  let end = size;
  let seq = last?.seq ?? 0;
  let turn = last?.turn ?? 0;
  let torn = false;
  let open = true;

  /** Takes away what a failed write left of its line; where even that fails, the next append tries again, and so does opening. */
  const cutBack = (): void => {
    truncateSync(file, end);
    torn = false;
  };

  const write = (line: Buffer): void => {
    if (torn) cutBack();
    let written = 0;
    try {
      while (written < line.length) written += writeSync(fd, line, written);
    } catch (error) {
      torn = written > 0;
      if (torn) cutBack();
      throw error;
    }
  };

  return {
    file,
    notes: note === undefined ? [] : [note],
    append(event) {
      if (event.type === 'item.updated' || event.type === 'agent.event') return;
      if (!open) throw new FettleError({code: 'INTERNAL', message: `The session log ${file} is closed.`});
      const turns = turn + (event.type === 'turn.started' ? 1 : 0);
      const line = Buffer.from(encodeLine({v: 1, seq: seq + 1, ts: new Date().toISOString(), turn: turns, event}));
      if (line.length > MAX_LINE_BYTES) throw tooLarge(event, line.length);
      try {
        write(line);
      } catch (error) {
        throw appendFailed(file, error);
      }
      end += line.length;
      seq += 1;
      turn = turns;
    },
    async sync() {
      if (!open) return;
      await promisify(fdatasync)(fd).catch((error: unknown) => {
        throw appendFailed(file, error);
      });
    },
    close() {
      if (!open) return;
      open = false;
      closeSync(fd);
      lock.release();
    },
  };
}

function tooLarge(event: ThreadEvent, bytes: number): FettleError {
  return new FettleError({code: 'TOO_LARGE', message: `An event ${event.type} of ${bytes} bytes exceeds the limit of a session log.`});
}

function appendFailed(file: string, cause: unknown): FettleError {
  const {message, hint} = toFettleError(cause);
  return new FettleError({
    code: 'IO',
    message: `The session log could not be written: ${message}`,
    hint: hint ?? `Check the disk and the limits of the system for ${file}; what was logged before is whole.`,
    cause,
  });
}
