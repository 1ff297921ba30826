import {mkdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {toFettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {RunRecord} from '../store/run-record.ts';
import type {OpenRun} from '../store/schedule-store.ts';
import {keepQuota} from './quota.ts';
import type {DaemonParts} from './daemon-ports.ts';

/** The supervisor processes that this daemon has started. They outlive it. */
export interface Supervisors {
  start(run: OpenRun): void;
  /** Says whether a process that was started for the run has not ended. */
  has(id: number): boolean;
  /** The moment before which a run is not started again: its supervisor has failed. */
  notBefore(id: number): number | undefined;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 600_000;

interface Failure {
  readonly count: number;
  readonly until: number;
}

/** `onEnd` is called when one has ended. */
export function createSupervisors(parts: DaemonParts, onEnd: () => void): Supervisors {
  const {ports, store, processes, clock} = parts;
  const started = new Set<number>();
  const failed = new Map<number, Failure>();
  /** A run that is claimed still was not begun, unless an earlier one of its job goes on. */
  const judge = (run: OpenRun, errors: string | undefined): void => {
    const isUnbegun = store.openRun(run.id)?.status === 'claimed';
    const isWaiting = store.openRuns().some(({job, status}) => job === run.job && status === 'running');
    if (!isUnbegun || isWaiting) {
      failed.delete(run.id);
      const now = store.run(run.id);
      if (!isUnbegun && now !== undefined) ports.log(`${run.job}: ${endOf(run.id, now)}`);
      keepQuota(parts, {name: run.job, createdAt: run.createdAt});
      return;
    }
    const count = (failed.get(run.id)?.count ?? 0) + 1;
    failed.set(run.id, {count, until: clock.now() + Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), LONGEST_PAUSE_MS)});
    const note = errors ?? store.run(run.id)?.note ?? 'Its supervisor ended at once.';
    if (errors !== undefined) store.setNote(run.id, note);
    ports.log(`${run.job}: run ${run.id} has not begun, it is tried again: ${note}`);
  };
  return {
    start(run) {
      started.add(run.id);
      ports.log(`${run.job}: run ${run.id} starts, due ${new Date(run.due).toISOString()}`);
      const errorsFile = prepare(join(parts.folders.runs, run.job, 'supervisor.txt'));
      void processes
        .start(ports.superviseCommand(run), errorsFile)
        .then(() => judge(run, lastLine(errorsFile)))
        .catch((thrown: unknown) => ports.log(`${run.job}: run ${run.id}: ${toFettleError(thrown).message}`))
        .finally(() => {
          started.delete(run.id);
          onEnd();
        });
    },
    has: (id) => started.has(id),
    notBefore: (id) => failed.get(id)?.until,
  };
}

/** Says how a run stands whose supervisor has ended. One that was killed leaves it running until its lease ends. */
function endOf(id: number, {status, note}: RunRecord): string {
  if (status === 'running') return `the supervisor of run ${id} has ended before its run.`;
  return `run ${id} ended: ${[status, note].filter(Boolean).join(', ')}`;
}

/** Returns the file, in a folder that is there; undefined where there can be none. */
function prepare(file: string): string | undefined {
  try {
    mkdirSync(dirname(file), {recursive: true, mode: 0o700});
    return file;
  } catch {
    return undefined;
  }
}

const NOTE_CHARS = 300;

function lastLine(file: string | undefined): string | undefined {
  try {
    const text = file === undefined ? '' : visibleText(readFileSync(file, 'utf8')).trim();
    const line = text.split('\n').at(-1) ?? '';
    return line === '' ? undefined : line.slice(0, NOTE_CHARS);
  } catch {
    return undefined;
  }
}
