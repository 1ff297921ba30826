import {randomBytes} from 'node:crypto';
import {readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {isJsonObject, parseJson} from '../base/json.ts';
import {processStart, isRunning} from './process-start.ts';

/** The right to write one file, held by one process. */
export interface WriterLock {
  release(): void;
}

/**
 * Takes the lock file at `path`. UNAVAILABLE while a living process holds it (this one included); the lock of a dead one is taken over.
 *
 * Taking over is a race that exactly one process wins: the right to replace a stale lock is itself a lock, named by the random token
 * in the stale one, and becomes the new lock by a rename. Who comes late finds another token and starts again.
 */
export async function acquireWriterLock(path: string): Promise<WriterLock> {
  const mine: Holder = {pid: process.pid, started: processStart(process.pid), token: randomBytes(8).toString('hex')};
  await acquire(path, mine);
  return {
    release() {
      if (readHolder(path)?.token === mine.token) rmSync(path, {force: true});
    },
  };
}

/** True while a living process holds the lock at `path`. */
export function isLocked(path: string): boolean {
  const holder = readHolder(path);
  return holder !== undefined && isRunning(holder);
}

interface Holder {
  readonly pid: number;
  readonly started: string | undefined;
  readonly token: string;
}

async function acquire(path: string, mine: Holder): Promise<void> {
  for (;;) {
    if (tryCreate(path, mine)) return;
    const holder = await settledHolder(path);
    if (holder === undefined) continue;
    if (isRunning(holder)) throw lockedBy(holder, path);
    const claim = `${path}.${holder.token}`;
    await acquire(claim, mine);
    if (readHolder(path)?.token === holder.token) {
      renameSync(claim, path);
      return;
    }
    rmSync(claim, {force: true});
  }
}

function tryCreate(path: string, mine: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(mine), {flag: 'wx', mode: 0o600});
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw toFettleError(error);
  }
}

/** Between the creation of a lock and its content there is an instant; an empty lock gets a moment before it counts as abandoned. */
async function settledHolder(path: string): Promise<Holder | undefined> {
  const holder = readHolder(path);
  if (holder !== undefined && holder.token !== UNREADABLE) return holder;
  await delay(20);
  return readHolder(path);
}

const UNREADABLE = 'unreadable';

function readHolder(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw toFettleError(error);
  }
  const value = parseJson(text);
  if (!isJsonObject(value)) return {pid: 0, started: undefined, token: UNREADABLE};
  const {pid, started, token} = value;
  return {
    pid: Number.isSafeInteger(pid) ? Number(pid) : 0,
    started: typeof started === 'string' ? started : undefined,
    token: typeof token === 'string' && /^[0-9a-f]+$/.test(token) ? token : UNREADABLE,
  };
}

function lockedBy(holder: Holder, path: string): FettleError {
  return new FettleError({
    code: 'UNAVAILABLE',
    message: `Process ${holder.pid} is using this session.`,
    hint: `End that process, or fork the session. If it is not a Fettle process, remove ${path}.`,
  });
}
