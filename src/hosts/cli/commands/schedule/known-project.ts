import {rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {readPrivateFile, writePrivateFile} from '../../../../config/private-file.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import type {ScheduleFolders} from '../../../../schedule/store/schedule-folders.ts';
import {
  changesLine,
  projectChanges,
  readProjectSnapshot,
  readSnapshotText,
  snapshotText,
  type ProjectSnapshot,
} from '../../../../sdk/trust/project-snapshot.ts';
import type {Io} from '../../io.ts';

type Folders = Pick<ScheduleFolders, 'database'>;

/** Reads the present project of a job's workspace. */
export async function presentProject(
  {env, home}: Pick<Io, 'env' | 'home'>,
  {workspace}: Pick<JobDefinition, 'workspace'>,
): Promise<ProjectSnapshot> {
  return await readProjectSnapshot({cwd: workspace, env, home});
}

/** Keeps what a person accepted for a job, so that they can be told later what differs. */
export async function keepProject(folders: Folders, name: string, snapshot: ProjectSnapshot): Promise<void> {
  await writePrivateFile(snapshotFile(folders, name), snapshotText(snapshot));
}

export async function forgetProject(folders: Folders, name: string): Promise<void> {
  await rm(snapshotFile(folders, name), {force: true});
}

/** Lists the differences between the accepted project of a job and the present one; undefined: it is the accepted one. */
export async function changesOf(folders: Folders, job: JobDefinition, now: ProjectSnapshot): Promise<readonly string[] | undefined> {
  if (job.project === now.digest || job.action.kind === 'reminder') return undefined;
  const kept = readSnapshotText((await readPrivateFile(snapshotFile(folders, job.name))) ?? '');
  return kept?.digest === job.project && kept !== undefined ? projectChanges(kept, now) : [];
}

/** Says why a run of the job must not begin before a person has looked; undefined: it may. */
export async function reasonToWait(io: Pick<Io, 'env' | 'home'>, folders: Folders, job: JobDefinition): Promise<string | undefined> {
  if (job.action.kind === 'reminder') return undefined;
  const changes = await changesOf(folders, job, await presentProject(io, job));
  return changes === undefined ? undefined : waitingText(job, changes);
}

/** `The project changed since you accepted it: AGENTS.md is changed.` */
export function waitingText({project}: Pick<JobDefinition, 'project'>, changes: readonly string[]): string {
  if (project === undefined) return 'Nobody has accepted the project yet.';
  return changes.length === 0
    ? 'The project changed since you accepted it.'
    : `The project changed since you accepted it: ${changesLine(changes)}.`;
}

function snapshotFile({database}: Folders, name: string): string {
  return join(dirname(database), 'projects', `${name}.json`);
}
