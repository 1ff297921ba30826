import {FettleError} from '../../../../base/errors.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {wakeDaemon} from '../../../../schedule/daemon/wake-daemon.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import {jobFile, readJobs} from '../../../../schedule/jobs/job-folder.ts';
import {createJobFile} from '../../../../schedule/jobs/write-job.ts';
import {jobText} from '../../../../schedule/jobs/job-text.ts';
import {parseJob} from '../../../../schedule/jobs/parse-job.ts';
import type {Io} from '../../io.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';
import {describeAdded} from './describe-added.ts';
import {forgetProject, keepProject} from './known-project.ts';
import {newJob} from './new-job.ts';
import type {AddOptions} from './schedule-options.ts';
import {noteMissingDaemon, schedulePlace, withStore} from './schedule-place.ts';

/** `fettle schedule add`: writes the file of a job with everything that it may do, and prints its name. */
export async function addJob(io: Io, options: AddOptions): Promise<number> {
  refuseInsideFettle(io, {cannot: 'add a job', instead: 'fettle schedule add'});
  const place = schedulePlace(io);
  const {folders} = place;
  const taken = (await readJobs(folders.jobs)).map(({name}) => name);
  const {job, project} = await newJob(io, options, taken);
  await createJobFile(folders.jobs, job.name, checkedText(job));
  // What an earlier job of this name left behind is none of the new one's.
  await withStore(place, (store) => store.forget(job.name));
  if (project === undefined) await forgetProject(folders, job.name);
  else await keepProject(folders, job.name, project);
  wakeDaemon(folders);
  io.data(`${job.name}\n`);
  for (const line of describeAdded(job, jobFile(folders.jobs, job.name))) io.note(line);
  noteMissingDaemon(io, place);
  return EXIT.done;
}

/** The text of the file, which is read as it will be. Throws USAGE for what no file can hold. */
function checkedText(job: JobDefinition): string {
  const text = jobText(job);
  const read = parseJob({name: job.name, file: '', bytes: new TextEncoder().encode(text)});
  if ('job' in read) return text;
  const message = read.problems.map((line) => line.replace(/^:\d+: /, '')).join('\n');
  throw new FettleError({code: 'USAGE', message, hint: '`fettle schedule add --help`'});
}
