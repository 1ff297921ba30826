import {closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {toFettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import {decodeLine, encodeLine} from './log-line.ts';
import {readLog} from './log-reader.ts';
import {readSpan} from './log-tail.ts';
import {allSessionFiles, findSession, isRegular, sessionFile, type SessionFile} from './session-files.ts';

/**
 * Copies a session, also one that is being written, to a new, independent thread, with the logs of its subagents: messages to one in the copy
 * do not reach the original. Open the copy with `openSession`.
 */
export async function forkSession(stateDir: string, idOrPrefix: string): Promise<SessionFile> {
  const from = findSession(stateDir, idOrPrefix);
  return await newSession(stateDir, newId('thr'), async ({threadId}, target) => {
    const children = new Map<string, string>();
    await copyEvents({from, threadId, target, children});
    await copyChildren(stateDir, {from, threadId, children});
  });
}

interface Family {
  readonly from: SessionFile;
  /** Id of the copy. */
  readonly threadId: string;
  /** The threads of the subagents, and of their copies. */
  readonly children: ReadonlyMap<string, string>;
}

/** Before the copy itself is there: it is found with all of them. One whose log was deleted is left out. */
async function copyChildren(stateDir: string, {from, threadId: parent, children}: Family): Promise<void> {
  if (children.size === 0) return;
  const files = new Map(allSessionFiles(stateDir).map((one) => [one.threadId, one]));
  for (const [old, threadId] of children) {
    const child = files.get(old);
    // What only claims to be one of its subagents is not copied.
    if (child === undefined || !isRegular(child) || parentOf(child) !== from.threadId) continue;
    await newSession(stateDir, threadId, (_copy, target) => copyEvents({from: child, threadId, target, parent}));
  }
}

const HEAD_BYTES = 16 * 1024;

function parentOf({file}: SessionFile): string | undefined {
  const fd = openSync(file, 'r');
  try {
    const [line = ''] = readSpan(fd, {start: 0, end: Math.min(fstatSync(fd).size, HEAD_BYTES)})
      .toString('utf8')
      .split('\n', 1);
    const first = decodeLine(line);
    return typeof first !== 'string' && first.event.type === 'thread.started' ? first.event.parent_thread_id : undefined;
  } finally {
    closeSync(fd);
  }
}

/** A session that begins with these events. It is there with all of them, or not at all, whenever the process ends. Throws IO. */
export async function sessionOf(stateDir: string, threadId: string, events: readonly ThreadEvent[]): Promise<SessionFile> {
  const ts = new Date().toISOString();
  const lines = events.map((event, index) => encodeLine({v: 1, seq: index + 1, ts, turn: 0, event}));
  return await newSession(stateDir, threadId, (_copy, target) => {
    writeFileSync(target, lines.join(''), {flag: 'wx', mode: 0o600, flush: true});
  });
}

async function newSession(
  stateDir: string,
  threadId: string,
  write: (session: SessionFile, target: string) => void | Promise<void>,
): Promise<SessionFile> {
  const session = sessionFile({stateDir, threadId, day: new Date().toISOString().slice(0, 10)});
  const unfinished = `${session.file}.part`;
  try {
    mkdirSync(dirname(session.file), {recursive: true, mode: 0o700});
    await write(session, unfinished);
    renameSync(unfinished, session.file);
  } catch (error) {
    rmSync(unfinished, {force: true});
    throw toFettleError(error);
  }
  return session;
}

interface Copy {
  readonly from: SessionFile;
  readonly threadId: string;
  readonly target: string;
  /** For the copy of a subagent's log: the copy of its thread. */
  readonly parent?: string;
  /** Gets an id for each subagent. */
  readonly children?: Map<string, string>;
}

async function copyEvents(copy: Copy): Promise<void> {
  const fd = openSync(copy.target, 'wx', 0o600);
  try {
    let seq = 0;
    await readLog(copy.from.file, (logged) => {
      // An input of a person is applied once, in the session they sent it to; messages of a thread to its subagent belong to both.
      if (logged.event.type === 'input.queued' && copy.parent === undefined) return;
      seq += 1;
      writeFileSync(fd, encodeLine({...logged, seq, event: renamed(logged.event, copy)}));
    });
  } finally {
    closeSync(fd);
  }
}

function renamed(event: ThreadEvent, {from: {threadId: from}, threadId: to, parent, children}: Copy): ThreadEvent {
  if (event.type === 'thread.started') {
    const agent = parent === undefined ? undefined : event.agent;
    return {...event, thread_id: to, forked_from: from, parent_thread_id: parent, agent};
  }
  if (event.type !== 'agent.status') return 'thread_id' in event ? {...event, thread_id: to} : event;
  const child = children?.get(event.child_thread_id) ?? newId('thr');
  children?.set(event.child_thread_id, child);
  return {...event, thread_id: to, child_thread_id: child};
}
