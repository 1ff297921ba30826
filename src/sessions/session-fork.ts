import {closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {toFettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import {encodeLine} from './log-line.ts';
import {readLog} from './log-reader.ts';
import {findSession, sessionFile, type SessionFile} from './session-files.ts';

/** Copies a session, also one that is being written, to a new thread that goes its own way. Open the copy with `openSession`. */
export async function forkSession(stateDir: string, idOrPrefix: string): Promise<SessionFile> {
  const from = findSession(stateDir, idOrPrefix);
  return await newSession(stateDir, newId('thr'), (copy, target) => copyEvents({from, threadId: copy.threadId, target}));
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

async function copyEvents({from, threadId, target}: {from: SessionFile; threadId: string; target: string}): Promise<void> {
  const fd = openSync(target, 'wx', 0o600);
  try {
    let seq = 0;
    await readLog(from.file, (logged) => {
      // What waits there is applied there, once; and the subagents that work for it do not work for both.
      if (logged.event.type === 'input.queued' || logged.event.type === 'agent.status') return;
      seq += 1;
      writeFileSync(fd, encodeLine({...logged, seq, event: renamed(logged.event, from.threadId, threadId)}));
    });
  } finally {
    closeSync(fd);
  }
}

function renamed(event: ThreadEvent, from: string, to: string): ThreadEvent {
  if (event.type === 'thread.started') return {...event, thread_id: to, forked_from: from, parent_thread_id: undefined, agent: undefined};
  return 'thread_id' in event ? {...event, thread_id: to} : event;
}
