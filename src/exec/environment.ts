import type {CommandResult, CommandSpec, OutputListener} from './process/command.ts';
import type {CommandTerminal, TerminalRequest} from './terminal/terminal.ts';

/** The place where commands run: working folder, variables, folder for large outputs. */
export interface ExecEnvironment {
  readonly cwd: string;
  /** The `PATH` of its commands. Absent: nobody knows. */
  readonly path?: string | undefined;
  /** Commands run in a sandbox: a folder that they may write, under the same path inside and outside. Absent: they write where the user can. */
  readonly scratchDir?: string | undefined;
  /** Runs one command to its end, time limit or cancellation. Throws only if it cannot be started, never because of what the command does. */
  run(spec: CommandSpec, signal: AbortSignal, onOutput?: OutputListener): Promise<CommandResult>;
  /** Starts one command in a terminal; the caller ends it. Throws NOT_FOUND, and UNAVAILABLE if terminals are not supported. */
  openTerminal(request: TerminalRequest): Promise<CommandTerminal>;
}
