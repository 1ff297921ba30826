import type {CommandResult, CommandSpec, OutputListener} from './process/command.ts';
import type {ExecEnvironment} from './environment.ts';

/** A command that was started and is not waited for; its starter must end or detach it. */
export interface Job {
  readonly pid: number;
  /** Resolves to the end of the command, or rejects if watching it failed. */
  readonly done: Promise<CommandResult>;
  /** Ends it, with everything it started. */
  end(): Promise<void>;
  /** Detaches it: it outlives Fettle, and its further output goes to the file (absolute). Without `mayStay` it is ended. */
  detach(outputFile: string): Promise<void>;
}

export interface JobRequest {
  readonly spec: CommandSpec;
  /** True if it may be detached. Decided at its start, because the mechanism that ends all commands with Fettle must be skipped then. */
  readonly mayStay: boolean;
  readonly onOutput?: OutputListener | undefined;
}

/** Starts a command; resolves when it runs. Throws the errors of the environment. */
export async function startJob(exec: Pick<ExecEnvironment, 'run'>, {spec, mayStay, onOutput}: JobRequest): Promise<Job> {
  const stop = new AbortController();
  const started = Promise.withResolvers<number>();
  const release = Promise.withResolvers<string>();
  const detach = mayStay ? release.promise : undefined;
  const done = exec.run({...spec, onStart: started.resolve, detach}, stop.signal, onOutput);
  const ended = done.then(
    () => undefined,
    (error: unknown) => started.reject(error),
  );
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  return {
    pid: await started.promise,
    done,
    end,
    async detach(outputFile) {
      if (!mayStay) return end();
      release.resolve(outputFile);
      await ended;
    },
  };
}
