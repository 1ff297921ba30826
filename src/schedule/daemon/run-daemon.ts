import {toFettleError} from '../../base/errors.ts';
import {systemClock} from '../clock.ts';
import {systemProcesses} from '../supervisor/processes.ts';
import {createChangeLog} from './change-log.ts';
import type {DaemonOptions} from './daemon-ports.ts';
import {watchFolders} from './folder-watches.ts';
import {lockDaemon} from './lock-daemon.ts';
import {createLook} from './look.ts';
import {createNotifications} from './notifications.ts';
import {createSupervisors} from './supervisors.ts';
import {createWaker} from './waker.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Runs the jobs of one user when they are due, until it is aborted; runs that go on then are left to their supervisors, and the next daemon takes
 * over. Between due times it sleeps: it looks when a definition changes, when it is woken (`wakeDaemon`), when a run ends, and at due times.
 * What fails is named in the log and tried again. Throws USAGE where another daemon runs.
 */
export async function runDaemon(options: DaemonOptions, signal: AbortSignal): Promise<void> {
  const parts = {clock: systemClock, processes: systemProcesses, ...options};
  const {clock, folders, ports} = parts;
  const unlock = await lockDaemon(folders, clock.now());
  const waker = createWaker(clock);
  const watches = watchFolders([folders.jobs, folders.wake], waker.wake, ports.log);
  const notifications = createNotifications(parts, signal);
  const log = createChangeLog(ports.log);
  const look = createLook(parts, {supervisors: createSupervisors(parts, waker.wake), notifications, log});
  try {
    ports.log('The schedule daemon runs.');
    for (let pause = FIRST_PAUSE_MS; !signal.aborted;) {
      const areWatched = watches.refresh();
      let next: number | undefined;
      try {
        next = await look();
        log.set('look', undefined);
        pause = FIRST_PAUSE_MS;
      } catch (thrown) {
        log.set('look', `${toFettleError(thrown).message} Trying again.`);
        next = clock.now() + pause;
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
      await waker.until(areWatched ? next : Math.min(next ?? Infinity, clock.now() + LONGEST_PAUSE_MS), signal);
    }
  } finally {
    watches.close();
    await notifications.idle();
    unlock();
    ports.log('The schedule daemon has ended; runs that have begun go on.');
  }
}
