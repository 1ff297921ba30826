import {existsSync, readdirSync, rmSync, rmdirSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';
import type {ThreadEvent, ThreadStarted} from '../protocol/events.ts';
import type {TodoListItem} from '../protocol/items.ts';
import {openEventLog, type EventLog} from './event-log.ts';
import type {History} from './history.ts';
import type {LogReport} from './log-reader.ts';
import {resumeLog} from './resume/resume-log.ts';
import {assertSessionOwner} from './session-owner.ts';
import {findSession, sessionFile, spoolFolder, type SessionFile} from './session-files.ts';
import {listSessions, type SessionInfo} from './session-list.ts';
import {acquireWriterLock} from './writer-lock.ts';

/** A session that is open for writing; close its log in the end. */
export interface Session extends SessionFile {
  readonly log: EventLog;
}

/** An existing session, with everything needed to continue it. */
export interface ResumedSession extends Session {
  readonly history: History;
  /** The event that began it; undefined if that line is broken. */
  readonly started: ThreadStarted | undefined;
  /** The task list as the session left it. */
  readonly todos: TodoListItem['items'];
  /** Repaired or skipped parts of the log, for people. */
  readonly notes: readonly string[];
}

export interface CreateOptions {
  readonly stateDir: string;
  readonly threadId?: string | undefined;
}

export async function createSession({stateDir, threadId = newId('thr')}: CreateOptions): Promise<Session> {
  if (!/^[\w-]{1,128}$/.test(threadId)) throw new FettleError({code: 'BAD_ARGS', message: `${threadId} is not a valid session id.`});
  const session = sessionFile({stateDir, threadId, day: new Date().toISOString().slice(0, 10)});
  if (existsSync(session.file)) throw new FettleError({code: 'BAD_ARGS', message: `Session ${threadId} already exists.`});
  return {...session, log: await openEventLog(session.file, {create: true})};
}

/**
 * Opens a session by its id or the beginning of it, repairs its log and reads what is needed of it; `onEvent` sees of that what others than
 * the conversation may need (see {@link resumeLog}).
 * UNAVAILABLE while another process writes it, DENIED if it belongs to another user.
 */
export async function openSession(
  stateDir: string,
  idOrPrefix: string,
  onEvent: (event: ThreadEvent) => void = ignored,
): Promise<ResumedSession> {
  const found = findSession(stateDir, idOrPrefix);
  assertSessionOwner(found);
  const log = await openEventLog(found.file, {create: false});
  try {
    const {history, started, todos, report} = await resumeLog(found.file, onEvent);
    if (report.events === 0 && report.broken.length > 0) throw unreadable(found);
    return {...found, log, history, started, todos, notes: [...log.notes, ...brokenNotes(report)]};
  } catch (error) {
    log.close();
    throw error;
  }
}

/**
 * Removes a session, everything beside its file, its outputs, and the logs of its subagents. Returns the ids of these. UNAVAILABLE while a
 * process writes one of them.
 */
export async function deleteSession(stateDir: string, idOrPrefix: string): Promise<readonly string[]> {
  const found = findSession(stateDir, idOrPrefix);
  const children = childrenIn(listSessions({stateDir, subagents: true}));
  return (await deleteFamily({stateDir, children, gone: new Set()}, found)).slice(0, -1);
}

/** Removes a session that has no subagents and is not open any more, with everything beside its file. */
export async function deleteAlone(stateDir: string, session: SessionFile): Promise<void> {
  await deleteFamily({stateDir, children: new Map(), gone: new Set()}, session);
}

function ignored(): void {
  // Only the conversation is wanted.
}

interface Deletion {
  readonly stateDir: string;
  readonly children: ReadonlyMap<string, readonly SessionFile[]>;
  /** A log that names itself as its parent would never end. */
  readonly gone: Set<string>;
}

function childrenIn(sessions: readonly SessionInfo[]): Deletion['children'] {
  return Map.groupBy(
    sessions.filter(({parent}) => parent !== undefined),
    ({parent}) => parent ?? '',
  );
}

/** Subagents first: anything left after a crash can still be found through its parent. */
async function deleteFamily(deletion: Deletion, {file, threadId}: SessionFile): Promise<readonly string[]> {
  const {stateDir, children, gone} = deletion;
  gone.add(threadId);
  const lock = await acquireWriterLock(`${file}.lock`);
  const day = dirname(file);
  const deleted: string[] = [];
  try {
    for (const child of children.get(threadId) ?? []) if (!gone.has(child.threadId)) deleted.push(...(await deleteFamily(deletion, child)));
    for (const name of readdirSync(day)) {
      if (name.startsWith(basename(file))) rmSync(join(day, name), {force: true});
    }
    // Stored outputs live as long as the session that shows them.
    rmSync(spoolFolder(stateDir, threadId), {recursive: true, force: true});
    removeIfEmpty(day);
    return [...deleted, threadId];
  } catch (error) {
    lock.release();
    throw toFettleError(error);
  }
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch (error) {
    // Not empty; or a subagent of the same day was the last one there.
    if (systemErrorCode(error) !== 'ENOTEMPTY' && systemErrorCode(error) !== 'ENOENT') throw error;
  }
}

function unreadable({threadId, file}: SessionFile): FettleError {
  return new FettleError({
    code: 'IO',
    message: `Session ${threadId} cannot be read: none of its lines is an event.`,
    hint: `Look at ${file}; \`fettle sessions delete ${threadId}\` removes it.`,
  });
}

function brokenNotes({broken}: LogReport): readonly string[] {
  const [first] = broken;
  if (first === undefined) return [];
  const others = broken.length === 1 ? '' : ` (and ${broken.length - 1} more)`;
  return [`Line ${first.line} of the session was skipped: ${first.reason}${others}.`];
}
