import {EXIT} from '../../../../protocol/exit-code.ts';
import {wakeDaemon} from '../../../../schedule/daemon/wake-daemon.ts';
import {nextDue} from '../../../../schedule/times/due-times.ts';
import type {Io} from '../../io.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';
import {acceptProject} from './accept-project.ts';
import {momentText} from './moment-text.ts';
import {noteMissingDaemon, schedulePlace, usableJob, withStore} from './schedule-place.ts';

/** `fettle schedule pause NAME`: due times pass without a run; a run that goes on is not ended. */
export async function pauseJob(io: Io, name: string): Promise<number> {
  refuseInsideFettle(io, {cannot: 'pause a job', instead: `fettle schedule pause ${name}`});
  const place = schedulePlace(io);
  const job = await usableJob(place, name);
  await withStore(place, (store) => store.setPaused(job, true, Date.now()));
  wakeDaemon(place.folders);
  io.note(`${name} is paused. \`fettle schedule resume ${name}\` lets it go on.`);
  return EXIT.done;
}

/** `fettle schedule resume NAME`: ends a pause, and accepts the project as it is now after showing what changed. Exit code 3 if the answer is no. */
export async function resumeJob(io: Io, name: string, options: {readonly yes?: true}): Promise<number> {
  refuseInsideFettle(io, {cannot: 'let a job go on', instead: `fettle schedule resume ${name}`});
  const place = schedulePlace(io);
  const job = await usableJob(place, name);
  if (!(await acceptProject(io, {place, job, yes: options.yes === true}))) return EXIT.denied;
  await withStore(place, (store) => {
    store.setPaused(job, false, Date.now());
    store.setWaiting(job, undefined);
  });
  wakeDaemon(place.folders);
  const next = nextDue(job.timing, Date.now());
  io.note(`${name} goes on; next ${next === undefined ? 'none' : momentText(next, Date.now())}.`);
  noteMissingDaemon(io, place);
  return EXIT.done;
}
