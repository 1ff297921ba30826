import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {openKernelLock, waitAlone} from '../../exec/kernel-lock.ts';
import type {ScheduleFolders} from '../store/schedule-folders.ts';
import {daemonText, readDaemon} from './daemon-status.ts';

/** The time in which a command that asks for the daemon has released the lock. */
const ASKING_MS = 500;

/**
 * Makes this process the daemon of the user until the returned function is called or the process ends, in whatever way. Throws USAGE, with its
 * number, where another process is the daemon.
 */
export async function lockDaemon({lock, daemon}: Pick<ScheduleFolders, 'lock' | 'daemon'>, now: number): Promise<() => void> {
  mkdirSync(dirname(lock), {recursive: true, mode: 0o700});
  const kernel = openKernelLock(lock);
  try {
    if (!(await waitAlone(kernel, ASKING_MS))) throw running(readDaemon(daemon).pid);
    writeFileSync(daemon, daemonText(now), {mode: 0o600});
  } catch (thrown) {
    kernel.close();
    throw thrown;
  }
  return () => {
    rmSync(daemon, {force: true});
    kernel.close();
  };
}

function running(pid: number | undefined): FettleError {
  const which = pid === undefined ? '' : ` (process ${pid})`;
  const hint = pid === undefined ? 'There is one for each user.' : `There is one for each user. To end it: kill ${pid}`;
  return new FettleError({code: 'USAGE', message: `A schedule daemon runs already${which}.`, hint});
}
