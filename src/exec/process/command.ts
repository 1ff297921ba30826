import type {Variables} from '../variables/child-environment.ts';
import type {Overrun} from './resource-overrun.ts';

/** A command to run. `shell` goes to `bash -c`; `program` is started as it is. */
export type CommandSpec = {
  readonly cwd?: string | undefined;
  /** Milliseconds; the whole process tree is killed then. */
  readonly timeoutMs: number;
  readonly capture: CaptureLimits;
  /** Text for stdin, which the command may leave unread; absent: stdin is closed. */
  readonly input?: string | undefined;
  /** Variables for this command alone, above those of the place. */
  readonly env?: Variables | undefined;
  /** Called with the process id once the command runs. */
  readonly onStart?: ((pid: number) => void) | undefined;
  /** Resolves with a file (absolute) when the command is to keep running without its owner: further output goes there. */
  readonly detach?: Promise<string> | undefined;
} & ({readonly shell: string} | {readonly program: string; readonly args: readonly string[]});

/** Bytes of each stream kept in memory; a longer stream goes to a spill file as a whole. */
export interface CaptureLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
  /** A longer stream goes to its file even if it fits in memory; absent: only if it does not fit. */
  readonly spillAbove?: number | undefined;
}

export interface CommandResult {
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** The limit for which the command was ended: it used too much of the machine. */
  readonly overrun?: Overrun | undefined;
  readonly durationMs: number;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
}

export interface CapturedOutput {
  /** The first bytes as text; the whole text if nothing was left out. */
  readonly head: string;
  /** The last bytes as text; '' if nothing was left out. */
  readonly tail: string;
  readonly totalBytes: number;
  readonly totalLines: number;
  /** True if bytes between head and tail were left out. */
  readonly truncated: boolean;
  /** The file with the whole stream, if it was truncated or longer than `spillAbove`. */
  readonly spillPath: string | undefined;
  /** One line on the output that is missing from the spill file (full disk, 256 MB cap); undefined or absent if nothing is. */
  readonly spillLoss?: string | undefined;
}

export type OutputListener = (stream: 'stdout' | 'stderr', text: string) => void;
