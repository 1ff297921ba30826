import {FettleError} from '../../../../base/errors.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import type {RunStatus} from '../../../../schedule/store/run-record.ts';
import type {ScheduleStore} from '../../../../schedule/store/schedule-store.ts';
import {systemProcesses} from '../../../../schedule/supervisor/processes.ts';
import {superviseRun} from '../../../../schedule/supervisor/supervise-run.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';
import {statusText} from './describe-run.ts';
import {watchRun} from './watch-run.ts';
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
  const watch = await watchRun(io, folders, {job: job.name, id});
  const ports = {...supervisorPorts(io, place), onStderr: (chunk: Buffer) => io.progress(chunk.toString('utf8'))};
  const run = await superviseRun({id, store, folders, ports}, signal).catch(async (thrown: unknown) => {
    await watch.end();
    throw thrown;
  });
  await watch.end();
  if (run?.status === 'claimed') {
    store.cancel(id, 'An earlier run went on.', Date.now());
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: run.note ?? `An earlier run of ${job.name} goes on.`,
      hint: `Try again when it has ended: \`fettle schedule show ${job.name}\`.`,
    });
  }
  if (run === undefined) return EXIT.interrupted;
  io.note(visibleText(`Run ${run.id}: ${statusText(run)}`));
  if (store.state(job).waiting !== undefined)
    io.note(`\`fettle schedule resume ${job.name}\` shows the project and asks whether you accept it.`);
  return run.exitCode ?? CODES[run.status] ?? EXIT.failed;
}

/** For runs that did not come to an exit code. */
const CODES: Readonly<Partial<Record<RunStatus, number>>> = {done: EXIT.done, blocked: EXIT.blocked, cancelled: EXIT.interrupted};
