import type {CommandResult} from '../../exec/process/command.ts';
import type {TerminalScreen} from '../../exec/terminal/terminal.ts';
import type {LiveContent} from '../../protocol/live-command.ts';
import type {ToolOutput} from '../stream-event.ts';

/** A command of a thread that keeps running after its call: on plain pipes, or with a terminal of its own. */
export interface CommandSession {
  /** `s1`, `s2` …, with a terminal `t1`, `t2` … */
  readonly id: string;
  readonly command: string;
  readonly pid: number;
  /** True if the command has a terminal. */
  readonly isInteractive: boolean;
  /** True if the command outlives the thread. */
  readonly isKept: boolean;
  /** The end of the command; undefined while it runs. */
  ended(): SessionEnd | undefined;
  /** Returns the milliseconds since the start, or from start to end. */
  age(): number;
  /**
   * Passes on output as it arrives, until the command has ended, a screen is complete, or the signal aborts.
   * Returns the current output or screen.
   */
  watch(signal: AbortSignal): AsyncGenerator<ToolOutput, SessionView, undefined> | Promise<SessionView>;
  /** Types text with the key names of `terminalKeys`. Throws UNAVAILABLE if the command has no terminal or has ended. */
  write(input: string): Promise<void>;
  /** Returns the current view for a person. This takes nothing from other readers. */
  live(): LiveContent;
  /** Calls back whenever there is something new to see, and at the end. Returns a function that stops this. */
  onLive(listener: () => void): () => void;
  /** Types bytes, as a terminal sends them. Throws UNAVAILABLE, like `write`. */
  type(bytes: string): void;
  /** Resizes the terminal. Throws UNAVAILABLE, like `write`. */
  resize(size: {readonly columns?: number | undefined; readonly rows?: number | undefined}): void;
  /** Ends the command, with everything it started. */
  end(): Promise<void>;
  /** Called at the end of the thread if the command outlives it: further output goes to the file. */
  detach(outputFile: string): Promise<void>;
}

export type SessionEnd = Pick<CommandResult, 'exitCode' | 'signal' | 'timedOut' | 'cancelled' | 'overrun' | 'durationMs'>;

export interface SessionView {
  /** Output since the last look, both streams in order of arrival; '' for a session with a terminal. */
  readonly output: string;
  /** Number of characters missing before the output, because too much was written at once. */
  readonly dropped: number;
  /** undefined without a terminal. */
  readonly screen: TerminalScreen | undefined;
}
