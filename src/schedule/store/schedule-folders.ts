import {join} from 'node:path';
import type {FettlePaths} from '../../config/paths.ts';

/** The files of the schedule of one user. All are absolute. */
export interface ScheduleFolders {
  /** The definitions: a file for each job. */
  readonly jobs: string;
  /** The database of runs and states. */
  readonly database: string;
  /** Artefacts of runs: `<job>/<run id>/`. */
  readonly runs: string;
  /** A folder of one file: writing to it wakes the daemon. */
  readonly wake: string;
  /** The daemon holds a lock on it. */
  readonly lock: string;
  /** The process that runs as the daemon, in JSON. */
  readonly daemon: string;
}

export function scheduleFolders({configDir, stateDir}: Pick<FettlePaths, 'configDir' | 'stateDir'>): ScheduleFolders {
  const state = join(stateDir, 'schedule');
  return {
    jobs: join(configDir, 'schedule'),
    database: join(state, 'schedule.sqlite'),
    runs: join(state, 'runs'),
    wake: join(state, 'wake'),
    lock: join(state, 'daemon.lock'),
    daemon: join(state, 'daemon.json'),
  };
}

/** Returns the folder of the artefacts of a run. */
export function runFolder({runs}: Pick<ScheduleFolders, 'runs'>, {job, id}: {readonly job: string; readonly id: number}): string {
  return join(runs, job, String(id));
}
