import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import type {RunRecord, RunStatus} from '../../../../schedule/store/run-record.ts';
import {runFolder} from '../../../../schedule/store/schedule-folders.ts';
import type {ScheduleStore} from '../../../../schedule/store/schedule-store.ts';
import {systemProcesses} from '../../../../schedule/supervisor/processes.ts';
import {superviseRun} from '../../../../schedule/supervisor/supervise-run.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {execEvents} from '../../output/exec-events.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';
import {statusText} from './describe-run.ts';
import {followEvents} from './follow-events.ts';
import {supervisorPorts} from './job-ports.ts';
import {schedulePlace, usableJob, withStore, type SchedulePlace} from './schedule-place.ts';

/** `fettle schedule run NAME`: runs a job now, here, with its rights; recorded like the others. Returns the exit code of the run. */
export async function runJob(io: Io, name: string): Promise<number> {
  refuseInsideFettle(io, {cannot: 'run a job', instead: `fettle schedule run ${name}`});
  const place = schedulePlace(io);
  const job = await usableJob(place, name);
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    return await withStore(place, (store) => runWith(io, {place, job, store}, interrupts.signal()));
  } finally {
    interrupts.dispose();
  }
}

interface Running {
  readonly place: SchedulePlace;
  readonly job: JobDefinition;
  readonly store: ScheduleStore;
}

async function runWith(io: Io, {place, job, store}: Running, signal: AbortSignal): Promise<number> {
  const {folders} = place;
  const {id} = store.requestRun(job, Date.now(), systemProcesses.own());
  if (job.action.kind === 'reminder') {
    io.shown(`${job.action.text}\n`);
    store.endClaimed(id, {status: 'sent', endedAt: Date.now()});
    return EXIT.done;
  }
  const progress = await execEvents(io, {});
  const follow = followEvents(join(runFolder(folders, {job: job.name, id}), 'events.jsonl'), progress.onEvent);
  const ports = {...supervisorPorts(io, place), onStderr: (chunk: Buffer) => io.progress(chunk.toString('utf8'))};
  const run = await superviseRun({id, store, folders, ports}, signal).finally(() => follow.end());
  if (run?.status === 'claimed') {
    store.cancel(id, 'An earlier run went on.', Date.now());
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: run.note ?? `An earlier run of ${job.name} goes on.`,
      hint: `Try again when it has ended: \`fettle schedule show ${job.name}\`.`,
    });
  }
  const answer = await answerOf(run);
  progress.end(answer);
  if (answer !== undefined) io.shown(`${answer}\n`);
  if (run === undefined) return EXIT.interrupted;
  io.note(visibleText(`Run ${run.id}: ${statusText(run)}`));
  return run.exitCode ?? CODES[run.status] ?? EXIT.failed;
}

/** Undefined if the run did not come to one. */
async function answerOf(run: RunRecord | undefined): Promise<string | undefined> {
  if (run?.folder === undefined || (run.status !== 'done' && run.status !== 'denied')) return undefined;
  return (await readFile(join(run.folder, 'last-message.txt'), 'utf8').catch(() => undefined))?.trim();
}

/** For runs that did not come to an exit code. */
const CODES: Readonly<Partial<Record<RunStatus, number>>> = {done: EXIT.done, blocked: EXIT.blocked, cancelled: EXIT.interrupted};
