import {FettleError} from '../../../../base/errors.ts';
import {nearestWord} from '../../../../base/nearest-word.ts';
import {fettlePaths, type FettlePaths} from '../../../../config/paths.ts';
import {runningDaemon} from '../../../../schedule/daemon/daemon-status.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import {readJob, readJobs, type FoundJob} from '../../../../schedule/jobs/job-folder.ts';
import {openScheduleStore} from '../../../../schedule/store/open-store.ts';
import {scheduleFolders, type ScheduleFolders} from '../../../../schedule/store/schedule-folders.ts';
import type {ScheduleStore} from '../../../../schedule/store/schedule-store.ts';
import type {Io} from '../../io.ts';

/** The files of the schedule of the person who runs the command. */
export interface SchedulePlace {
  readonly paths: FettlePaths;
  readonly folders: ScheduleFolders;
}

export function schedulePlace({env, home}: Pick<Io, 'env' | 'home'>): SchedulePlace {
  const paths = fettlePaths({env, home});
  return {paths, folders: scheduleFolders(paths)};
}

/** Opens the store for the time of one use. */
export async function withStore<T>({folders}: Pick<SchedulePlace, 'folders'>, use: (store: ScheduleStore) => T | Promise<T>): Promise<T> {
  const store = openScheduleStore(folders.database);
  try {
    return await use(store);
  } finally {
    store.close();
  }
}

/** Returns the job of a name, broken or not. Throws NOT_FOUND with the nearest name. */
export async function foundJob({folders}: Pick<SchedulePlace, 'folders'>, name: string): Promise<FoundJob> {
  const found = await readJob(folders.jobs, name);
  if (found !== undefined) return found;
  const names = (await readJobs(folders.jobs)).map((other) => other.name);
  const meant = nearestWord(name, names);
  const hint = names.length === 0 ? 'There are none yet: `fettle schedule add --help`.' : '`fettle schedule list` shows all jobs.';
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `There is no job named "${name}".`,
    hint: meant === undefined ? hint : `Did you mean ${meant}? ${hint}`,
  });
}

/** Returns a job that can be used. Throws NOT_FOUND, and CONFIG with everything that is wrong with its file. */
export async function usableJob(place: Pick<SchedulePlace, 'folders'>, name: string): Promise<JobDefinition> {
  const found = await foundJob(place, name);
  if ('job' in found) return found.job;
  throw new FettleError({
    code: 'CONFIG',
    message: found.problems.join('\n'),
    hint: `Correct the file; \`fettle schedule show ${name}\` checks it.`,
  });
}

/** Says that nothing runs by itself, and how to change that; nothing where a daemon runs. */
export function noteMissingDaemon(io: Pick<Io, 'note' | 'paint'>, {folders}: Pick<SchedulePlace, 'folders'>): void {
  if (runningDaemon(folders) !== undefined) return;
  io.note(
    `${io.paint('yellow', 'No daemon runs')}, so nothing starts by itself: \`fettle schedule daemon\`, or as a service \`fettle schedule install\`.`,
  );
}
