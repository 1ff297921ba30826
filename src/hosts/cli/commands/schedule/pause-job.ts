import {FettleError} from '../../../../base/errors.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {wakeDaemon} from '../../../../schedule/daemon/wake-daemon.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import {jobFile, readJobText} from '../../../../schedule/jobs/job-folder.ts';
import {replaceJobFile} from '../../../../schedule/jobs/write-job.ts';
import {withProject} from '../../../../schedule/jobs/job-text.ts';
import {nextDue} from '../../../../schedule/times/due-times.ts';
import type {ProjectSnapshot} from '../../../../sdk/trust/project-snapshot.ts';
import {confirm} from '../../confirm.ts';
import type {Io} from '../../io.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';
import {changesOf, keepProject, presentProject, waitingText} from './known-project.ts';
import {momentText} from './moment-text.ts';
import {noteMissingDaemon, schedulePlace, usableJob, withStore, type SchedulePlace} from './schedule-place.ts';

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
  const project = job.action.kind === 'prompt' ? await presentProject(io, job) : undefined;
  const changes = project === undefined ? undefined : await changesOf(place.folders, job, project);
  if (project !== undefined && changes !== undefined) {
    show(io, job, {project, changes});
    if (options.yes !== true && !(await isAccepted(io, name))) return EXIT.denied;
    await accept(place, job, project);
  }
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

interface Change {
  readonly project: ProjectSnapshot;
  readonly changes: readonly string[];
}

/** Everything that a person decides about: what differs, or all that a run would load. */
function show(io: Io, job: JobDefinition, {project, changes}: Change): void {
  io.data(`${visibleText(`${job.name}: ${waitingText(job, [])}`)}\n`);
  const parts = project.parts.map(({kind, path}) => (kind === 'problem' ? path : `${path} (${kind})`));
  const listed = changes.length > 0 ? changes : parts;
  for (const line of listed) io.data(`${visibleText(`  ${line}`)}\n`);
  if (listed.length === 0) io.data('  The project has nothing that a run would load.\n');
  const isLoaded = project.isTrusted || project.parts.length === 0;
  if (!isLoaded) io.note('The project is not trusted as it is, so runs use none of this. `fettle trust` shows the contents and asks.');
}

async function isAccepted(io: Io, name: string): Promise<boolean> {
  if (io.interactive) return await confirm('Accept the project as it is now, for this job? [y]es, [N]o: ');
  const hint = `Look at it, then accept it with \`fettle schedule resume ${name} --yes\`.`;
  throw new FettleError({code: 'USAGE', message: 'No terminal is available to ask on.', hint});
}

/** First what is compared with, then the file: cut off in between, the job still waits. */
async function accept({folders}: SchedulePlace, {name}: JobDefinition, project: ProjectSnapshot): Promise<void> {
  const text = withProject(await readJobText(folders.jobs, name), project.digest);
  if (text === undefined) {
    const hint = `Write it on a line of its own: project = "${project.digest}"`;
    throw new FettleError({code: 'CONFIG', message: `${jobFile(folders.jobs, name)}: the key project cannot be replaced.`, hint});
  }
  await keepProject(folders, name, project);
  await replaceJobFile(folders.jobs, name, text);
}
