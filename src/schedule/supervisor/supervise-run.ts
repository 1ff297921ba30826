import {mkdirSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {toFettleError} from '../../base/errors.ts';
import {systemClock} from '../clock.ts';
import {wakeDaemon} from '../daemon/wake-daemon.ts';
import type {JobDefinition} from '../jobs/job-definition.ts';
import type {RunRecord} from '../store/run-record.ts';
import {runFolder} from '../store/schedule-folders.ts';
import type {OpenRun, RunEnd} from '../store/schedule-store.ts';
import {systemProcesses} from './processes.ts';
import {runProgram} from './run-program.ts';
import {stored} from './stored.ts';
import type {SuperviseRequest} from './supervisor-ports.ts';

/**
 * Runs a claimed run from its checks to its stored end, and returns the row; undefined where the job was removed meanwhile. Of several processes that call it for the same run, one runs it; a
 * run that waits for an earlier one of its job stays claimed. On abort the program is asked to end. Throws FettleError where the run
 * could not be begun; it is claimed still, then, and may be begun again.
 */
export async function superviseRun(request: SuperviseRequest, signal: AbortSignal): Promise<RunRecord | undefined> {
  const {id, store, folders, ports, clock = systemClock} = request;
  const run = store.openRun(id);
  const job = run?.status === 'claimed' ? await readyJob(request, run, signal) : undefined;
  if (job === undefined) return store.run(id);
  const folder = runFolder(folders, {job: job.name, id});
  mkdirSync(folder, {recursive: true, mode: 0o700});
  const lease = store.begin(id, {owner: systemProcesses.own(), startedAt: clock.now(), folder});
  if (lease === undefined) return store.run(id);

  const onFailure = (cause: unknown): void => ports.onStderr?.(Buffer.from(`${toFettleError(cause).message} Trying again.\n`));
  const attempt = {folder, attempt: lease.attempt, cwd: job.workspace};
  const command = ports.execCommand(job);
  const end = await runProgram({command, attempt, lease, store, clock, onStderr: ports.onStderr, onFailure}, signal);
  await stored(
    () => {
      if (end.kind === 'ended') store.end(lease, {...end.end, endedAt: clock.now()});
      if (end.kind === 'not begun') store.release(lease, end.reason);
    },
    {clock, signal, onFailure},
  );
  await leaveNothing(request, job);
  wakeDaemon(folders);
  return store.run(id);
}

/** Removes row and artefacts of a run whose job was removed while it ran. */
async function leaveNothing({store, folders, ports}: SuperviseRequest, job: JobDefinition): Promise<void> {
  const now = await ports.readJob(job.name).catch(() => job); // broken is not removed
  if (now?.createdAt === job.createdAt) return;
  store.dropRuns(job, 0);
  if (now === undefined) rmSync(join(folders.runs, job.name), {recursive: true, force: true});
}

/** Reads the job again and checks what must hold before it begins. Where something does not, the run ends with the reason. */
async function readyJob(
  {store, ports, clock = systemClock}: SuperviseRequest,
  run: OpenRun,
  signal: AbortSignal,
): Promise<JobDefinition | undefined> {
  const refuse = (status: RunEnd['status'], note: string): undefined => {
    store.endClaimed(run.id, {status, note, endedAt: clock.now()});
    return undefined;
  };
  const job = await ports.readJob(run.job);
  if (job?.createdAt !== run.createdAt) return refuse('skipped', 'The job was removed.');
  if (statSync(job.workspace, {throwIfNoEntry: false})?.isDirectory() !== true)
    return refuse('blocked', `The workspace ${job.workspace} is not there.`);
  const reason = await ports.checkProject(job, signal);
  if (reason === undefined) return job;
  // First the state: a job that is to wait must not go on, whatever happens now.
  store.setWaiting(job, reason);
  return refuse('blocked', reason);
}
