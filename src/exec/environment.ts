import type {CommandResult, CommandSpec, OutputListener} from './process/command.ts';
import type {CommandTerminal, TerminalRequest} from './terminal.ts';

/** The place where commands run: working folder, variables, where large outputs are kept. */
export interface ExecEnvironment {
  readonly cwd: string;
  /** Where its commands look for programs: their `PATH`. Absent: nobody knows. */
  readonly path?: string | undefined;
  /** Commands run in a sandbox: a folder that they may write, under the same path inside and outside. Absent: they write where the user can. */
  readonly scratchDir?: string | undefined;
  /** Runs one command to its end, time limit or cancellation. Never throws for what the command does; throws for what cannot be started. */
  run(spec: CommandSpec, signal: AbortSignal, onOutput?: OutputListener): Promise<CommandResult>;
  /** Starts one command in a terminal; whoever asks for it ends it. Throws NOT_FOUND, and UNAVAILABLE where there are no terminals. */
  openTerminal(request: TerminalRequest): Promise<CommandTerminal>;
}
