import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {toFettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {JobDefinition} from '../jobs/job-definition.ts';
import type {RunRecord} from '../store/run-record.ts';
import type {DaemonParts, LoadedJobs} from './daemon-ports.ts';

/** Tells people of the ends of runs, and their reminders, one after the other. */
export interface Notifications {
  /** Tells of all ends that nobody was notified of, as far as their jobs want it. Those of a broken job wait until it is fixed. */
  tellEnds(loaded: LoadedJobs): void;
  /** Tells a reminder; its run ends with it. */
  remind(job: JobDefinition, text: string, run: RunRecord): void;
  /** Says whether a reminder is under way. */
  has(id: number): boolean;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export function createNotifications({store, ports, processes, clock}: DaemonParts, signal: AbortSignal): Notifications {
  const queued = new Set<number>();
  let queue = Promise.resolve();
  const add = (id: number, act: () => Promise<void>): void => {
    if (queued.has(id)) return;
    queued.add(id);
    queue = queue
      .then(async () => (signal.aborted ? undefined : await act()))
      .catch((thrown: unknown) => ports.log(`Run ${id}: ${toFettleError(thrown).message}`))
      .finally(() => queued.delete(id));
  };
  const tellEnd = async (run: RunRecord): Promise<void> => {
    await ports
      .tell({title: `Fettle: ${run.job}`, text: endText(run), job: run.job, run}, signal)
      .catch((thrown: unknown) => ports.log(`${run.job}: nobody could be notified of run ${run.id}: ${toFettleError(thrown).message}`));
    if (!signal.aborted) store.setReported(run.id);
  };
  return {
    tellEnds({jobs, broken}) {
      for (const run of store.unreported()) {
        const job = jobs.find(({name}) => name === run.job);
        if (job !== undefined && isWanted(job, run)) add(run.id, () => tellEnd(run));
        else if (broken.every(({name}) => name !== run.job)) store.setReported(run.id);
      }
    },
    remind: (job, text, run) =>
      add(run.id, async () => {
        const lease = store.begin(run.id, {owner: processes.own(), startedAt: clock.now()});
        if (lease === undefined) return;
        try {
          await ports.tell({title: `Fettle: ${job.name}`, text: short(text), job: job.name, run: store.run(run.id) ?? run}, signal);
          store.end(lease, {status: 'sent', endedAt: clock.now()});
        } catch (thrown) {
          if (signal.aborted) store.release(lease, 'The daemon was ended.');
          else store.end(lease, {status: 'failed', note: toFettleError(thrown).message, endedAt: clock.now()});
        }
      }),
    has: (id) => queued.has(id),
    idle: () => queue,
  };
}

function isWanted({notify, action}: JobDefinition, {status}: RunRecord): boolean {
  // Who could not be reached with a reminder cannot be told so.
  if (notify === 'never' || action.kind === 'reminder') return false;
  return notify === 'always' || (status !== 'done' && status !== 'cancelled');
}

/** It never begins with a character that a program could take for an option. */
function endText({status, note, folder}: RunRecord): string {
  const said = status === 'done' ? lastMessage(folder) : note;
  return said === undefined ? `${WORDS[status]}.` : `${WORDS[status]}: ${short(said)}`;
}

const WORDS: Readonly<Record<RunRecord['status'], string>> = {
  claimed: 'waits',
  running: 'runs',
  done: 'done',
  failed: 'failed',
  usage: 'failed, a setting or option is wrong',
  denied: 'failed, something was not allowed',
  limit: 'stopped at a limit',
  loop: 'stopped, the model repeated itself',
  blocked: 'blocked',
  provider: 'failed, the provider did not answer',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  skipped: 'skipped',
  sent: 'sent',
};

function lastMessage(folder: string | undefined): string | undefined {
  try {
    return folder === undefined ? undefined : readFileSync(join(folder, 'last-message.txt'), 'utf8');
  } catch {
    return undefined;
  }
}

const TEXT_CHARS = 300;

/** Makes a text of a model or a program harmless and short. */
function short(text: string): string {
  const clean = visibleText(text).trim().replaceAll(/\s+/g, ' ');
  return clean.length > TEXT_CHARS ? `${clean.slice(0, TEXT_CHARS)}…` : clean;
}
