import {existsSync, readdirSync, rmSync, rmdirSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';
import type {ThreadEvent, ThreadStarted} from '../protocol/events.ts';
import type {TodoListItem} from '../protocol/items.ts';
import {openEventLog, type EventLog} from './event-log.ts';
import {createHistory, type History} from './history.ts';
import {readLog, type LogReport} from './log-reader.ts';
import {findSession, sessionFile, spoolFolder, type SessionFile} from './session-files.ts';
import {createTotals, type SessionTotals} from './session-totals.ts';
import {acquireWriterLock} from './writer-lock.ts';

/** A session that is open for writing; close its log in the end. */
export interface Session extends SessionFile {
  readonly log: EventLog;
}

/** A session from before, with what is needed to go on. */
export interface ResumedSession extends Session {
  readonly history: History;
  readonly totals: SessionTotals;
  /** The event that began it; undefined where that line is broken. */
  readonly started: ThreadStarted | undefined;
  /** The task list as the session left it. */
  readonly todos: TodoListItem['items'];
  /** What was repaired or skipped, for people. */
  readonly notes: readonly string[];
}

export interface CreateOptions {
  readonly stateDir: string;
  readonly threadId?: string | undefined;
}

export async function createSession({stateDir, threadId = newId('thr')}: CreateOptions): Promise<Session> {
  if (!/^[\w-]{1,128}$/.test(threadId)) throw new FettleError({code: 'BAD_ARGS', message: `${threadId} cannot name a session.`});
  const session = sessionFile({stateDir, threadId, day: new Date().toISOString().slice(0, 10)});
  if (existsSync(session.file)) throw new FettleError({code: 'BAD_ARGS', message: `There is a session ${threadId} already.`});
  return {...session, log: await openEventLog(session.file, {create: true})};
}

/**
 * Opens a session by its id or the beginning of it, repairs its log and reads it once; `onEvent` sees what was read.
 * UNAVAILABLE while another process writes it.
 */
export async function openSession(stateDir: string, idOrPrefix: string, onEvent?: (event: ThreadEvent) => void): Promise<ResumedSession> {
  const found = findSession(stateDir, idOrPrefix);
  const log = await openEventLog(found.file, {create: false});
  try {
    const history = createHistory();
    const totals = createTotals();
    let started: ThreadStarted | undefined;
    let todos: TodoListItem['items'] = [];
    const report = await readLog(found.file, ({event}) => {
      if (event.type === 'thread.started') started ??= event;
      if (event.type === 'item.completed' && event.item.type === 'todo_list') todos = event.item.items;
      history.apply(event);
      totals.apply(event);
      onEvent?.(event);
    });
    if (report.events === 0 && report.broken.length > 0) throw unreadable(found);
    return {...found, log, history, totals: totals.totals(), started, todos, notes: [...log.notes, ...brokenNotes(report)]};
  } catch (error) {
    log.close();
    throw error;
  }
}

/** Removes a session, everything beside its file, and its outputs. UNAVAILABLE while a process writes it. */
export async function deleteSession(stateDir: string, idOrPrefix: string): Promise<void> {
  const {file, threadId} = findSession(stateDir, idOrPrefix);
  const lock = await acquireWriterLock(`${file}.lock`);
  const day = dirname(file);
  try {
    for (const name of readdirSync(day)) {
      if (name.startsWith(basename(file))) rmSync(join(day, name), {force: true});
    }
    // Outputs that were kept whole live as long as the session that shows them.
    rmSync(spoolFolder(stateDir, threadId), {recursive: true, force: true});
    removeIfEmpty(day);
  } catch (error) {
    lock.release();
    throw toFettleError(error);
  }
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOTEMPTY') throw error;
  }
}

function unreadable({threadId, file}: SessionFile): FettleError {
  return new FettleError({
    code: 'IO',
    message: `Session ${threadId} cannot be read: no line of it is an event.`,
    hint: `Look at ${file}; \`fettle sessions delete ${threadId}\` removes it.`,
  });
}

function brokenNotes({broken}: LogReport): readonly string[] {
  const [first] = broken;
  if (first === undefined) return [];
  const others = broken.length === 1 ? '' : ` (and ${broken.length - 1} more)`;
  return [`Line ${first.line} of the session was skipped: ${first.reason}${others}.`];
}
