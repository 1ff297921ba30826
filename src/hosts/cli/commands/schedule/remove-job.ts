import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {wakeDaemon} from '../../../../schedule/daemon/wake-daemon.ts';
import {removeJobFile} from '../../../../schedule/jobs/write-job.ts';
import type {Io} from '../../io.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';
import {forgetProject} from './known-project.ts';
import {foundJob, schedulePlace, withStore} from './schedule-place.ts';

/** `fettle schedule remove NAME`: removes the file of a job and everything about its runs. A run that goes on is asked to end. */
export async function removeJob(io: Io, name: string): Promise<number> {
  refuseInsideFettle(io, {cannot: 'remove a job', instead: `fettle schedule remove ${name}`});
  const place = schedulePlace(io);
  const {folders} = place;
  await foundJob(place, name);
  // First the file: cut off in between, nothing is run any more.
  await removeJobFile(folders.jobs, name);
  const goesOn = await withStore(place, (store) => {
    store.forget(name);
    return store.openRuns().some((run) => run.job === name);
  });
  await forgetProject(folders, name);
  if (!goesOn) await rm(join(folders.runs, name), {recursive: true, force: true});
  wakeDaemon(folders);
  io.note(goesOn ? `Removed ${name}; its run is asked to end.` : `Removed ${name}.`);
  return EXIT.done;
}
