import {FettleError} from '../base/errors.ts';
import type {CommandResult, CommandSpec, OutputListener} from './command.ts';
import type {ExecEnvironment} from './environment.ts';

/** A command that was started and is not waited for. */
export interface Job {
  /** 1 for the first of a thread. */
  readonly number: number;
  readonly pid: number;
  /** How it ended, or the failure of whatever watched it. */
  readonly done: Promise<CommandResult>;
  /** The newest of what it has written up to now. */
  written(): JobOutput;
  /** Ends it, with everything it started. */
  end(): Promise<void>;
}

export interface JobOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** The commands of a thread that go on while it does something else; its owner calls `endAll` when the thread ends. */
export interface Jobs {
  /** Resolves when the command runs. Throws LIMIT where too many run, and what the environment throws for what cannot be started. */
  start(spec: CommandSpec, onOutput?: OutputListener): Promise<Job>;
  endAll(): Promise<void>;
}

const MAX_JOBS = 32;
/** Of each stream; all of it is in the result. */
const MAX_WRITTEN_CHARS = 20_000;

export function createJobs(exec: Pick<ExecEnvironment, 'run'>): Jobs {
  const running = new Set<Pick<Job, 'end'>>();
  let count = 0;
  return {
    async start(spec, onOutput) {
      if (running.size >= MAX_JOBS) {
        const hint = 'Run this one with blocking: true.';
        throw new FettleError({code: 'LIMIT', message: `${MAX_JOBS} jobs are running already.`, hint});
      }
      const stop = new AbortController();
      const started = Promise.withResolvers<number>();
      const written = {stdout: '', stderr: ''};
      const done = exec.run({...spec, onStart: started.resolve}, stop.signal, (stream, text) => {
        written[stream] = (written[stream] + text).slice(-MAX_WRITTEN_CHARS);
        onOutput?.(stream, text);
      });
      const ended = done.then(
        () => undefined,
        (error: unknown) => started.reject(error),
      );
      const handle = {
        end: async () => {
          stop.abort();
          await ended;
        },
      };
      running.add(handle);
      void ended.then(() => running.delete(handle));
      const pid = await started.promise;
      count += 1;
      return {number: count, pid, done, written: () => ({...written}), end: handle.end};
    },
    async endAll() {
      await Promise.all([...running].map((job) => job.end()));
    },
  };
}
