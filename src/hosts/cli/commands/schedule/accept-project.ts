import {FettleError} from '../../../../base/errors.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import {jobFile, readJobText} from '../../../../schedule/jobs/job-folder.ts';
import {withProject} from '../../../../schedule/jobs/job-text.ts';
import {replaceJobFile} from '../../../../schedule/jobs/write-job.ts';
import type {ProjectSnapshot} from '../../../../sdk/trust/project-snapshot.ts';
import {confirm} from '../../confirm.ts';
import type {Io} from '../../io.ts';
import {changesOf, keepProject, presentProject, waitingText} from './known-project.ts';
import type {SchedulePlace} from './schedule-place.ts';

interface AcceptRequest {
  readonly place: SchedulePlace;
  readonly job: JobDefinition;
  /** True: a person has said yes already. */
  readonly yes: boolean;
}

/**
 * Shows what changed in the project of a job since it was accepted, and stores the project as it is now if the person agrees. Returns false if
 * they do not, true also if nothing changed. Throws USAGE where nobody can be asked.
 */
export async function acceptProject(io: Io, {place, job, yes}: AcceptRequest): Promise<boolean> {
  if (job.action.kind === 'reminder') return true;
  const project = await presentProject(io, job);
  const changes = await changesOf(place.folders, job, project);
  if (changes === undefined) return true;
  show(io, job, {project, changes});
  if (!yes && !(await isAccepted(io, job.name))) return false;
  await accept(place, job, project);
  return true;
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
