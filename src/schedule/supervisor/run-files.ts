import {closeSync, ftruncateSync, fstatSync, openSync, readSync, writeFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {systemErrorCode} from '../../base/errors.ts';
import type {EventReader} from './read-events.ts';

/** Writes the artefacts of a run. Where the disk refuses, the run goes on, and `problem` says what is missing. */
export interface RunFiles {
  addEvents(chunk: Buffer): void;
  addErrors(chunk: Buffer): void;
  /** Says why the artefacts are not complete; undefined: they are. */
  problem(): string | undefined;
  close(): void;
}

/** Bytes of events that are kept; what comes later is left out. */
const MOST_EVENTS = 20 * 2 ** 20;
/** Bytes of stderr that are kept: the last ones. */
const MOST_ERRORS = 2 ** 20;

/** Opens `events.jsonl` and `stderr.txt` in the folder of a run; `last-message.txt` is written on closing. Throws errors of the system. */
export function openRunFiles(folder: string, reader: EventReader): RunFiles {
  const events = openSync(join(folder, 'events.jsonl'), 'w', 0o600);
  const errors = openSync(join(folder, 'stderr.txt'), 'a+', 0o600);
  let problem: string | undefined;
  let size = 0;
  const trying = (name: string, write: () => void): void => {
    try {
      write();
    } catch (thrown) {
      problem ??= `${name} is not complete (${systemErrorCode(thrown) ?? String(thrown)}).`;
    }
  };
  return {
    addEvents(chunk) {
      reader.push(chunk);
      const kept = chunk.subarray(0, Math.max(0, MOST_EVENTS - size));
      size += chunk.length;
      if (kept.length < chunk.length) problem ??= `events.jsonl is not complete: it has the first ${MOST_EVENTS / 2 ** 20} MB.`;
      trying('events.jsonl', () => writeAll(events, kept));
    },
    addErrors(chunk) {
      trying('stderr.txt', () => {
        writeAll(errors, chunk.subarray(-MOST_ERRORS));
        if (fstatSync(errors).size > 2 * MOST_ERRORS) keepTail(errors);
      });
    },
    problem: () => problem,
    close() {
      closeSync(events);
      trying('stderr.txt', () => {
        if (fstatSync(errors).size > MOST_ERRORS) keepTail(errors);
      });
      closeSync(errors);
      const {lastMessage} = reader.report();
      if (lastMessage !== undefined)
        trying('last-message.txt', () => writeFileSync(join(folder, 'last-message.txt'), lastMessage, {mode: 0o600}));
    },
  };
}

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}

/** The file is open for appending: what is written goes to its end. */
function keepTail(file: number): void {
  const tail = Buffer.alloc(MOST_ERRORS);
  const length = readSync(file, tail, 0, MOST_ERRORS, fstatSync(file).size - MOST_ERRORS);
  ftruncateSync(file, 0);
  writeAll(file, tail.subarray(0, length));
}
