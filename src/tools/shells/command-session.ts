import type {CommandResult} from '../../exec/process/command.ts';
import type {TerminalScreen} from '../../exec/terminal/terminal.ts';
import type {LiveContent} from '../../protocol/live-command.ts';
import type {ToolOutput} from '../stream-event.ts';

/** A command of a thread that goes on after its call: on plain pipes, or with a terminal of its own. */
export interface CommandSession {
  /** `s1`, `s2` …, with a terminal `t1`, `t2` … */
  readonly id: string;
  readonly command: string;
  readonly pid: number;
  /** It has a terminal. */
  readonly isInteractive: boolean;
  /** It outlives the thread. */
  readonly isKept: boolean;
  /** How it ended; undefined while it runs. */
  ended(): SessionEnd | undefined;
  /** Milliseconds since it was started, up to its end. */
  age(): number;
  /**
   * Passes on what it writes, as it comes, until it has ended, there is a finished screen to look at, or the signal says so; returns what
   * there is to be seen.
   */
  watch(signal: AbortSignal): AsyncGenerator<ToolOutput, SessionView, undefined> | Promise<SessionView>;
  /** Types, with the names of keys that `terminalKeys` knows. Throws UNAVAILABLE without a terminal, or if it has ended. */
  write(input: string): Promise<void>;
  /** Returns what a person sees of it now. Whoever watches misses nothing by it. */
  live(): LiveContent;
  /** Calls back whenever there is something new to see, and at its end; returns what ends it. */
  onLive(listener: () => void): () => void;
  /** Types bytes, as a terminal sends them. Throws UNAVAILABLE, as `write`. */
  type(bytes: string): void;
  /** Throws UNAVAILABLE, as `write`. */
  resize(size: {readonly columns?: number | undefined; readonly rows?: number | undefined}): void;
  /** Ends it, with everything it started. */
  end(): Promise<void>;
  /** Called at the end of the thread, for one that outlives it: its further output goes to the file. */
  detach(outputFile: string): Promise<void>;
}

export type SessionEnd = Pick<CommandResult, 'exitCode' | 'signal' | 'timedOut' | 'cancelled' | 'overrun' | 'durationMs'>;

export interface SessionView {
  /** Output since the last look, both streams in order of arrival; '' for a session with a terminal. */
  readonly output: string;
  /** Characters that were written before and are not in the output: too much came at once. */
  readonly dropped: number;
  /** undefined without a terminal. */
  readonly screen: TerminalScreen | undefined;
}
