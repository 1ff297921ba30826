import type {CommandResult, CommandSpec, OutputListener} from './command.ts';

/** The place where commands run: working folder, variables, where large outputs are kept. */
export interface ExecEnvironment {
  readonly cwd: string;
  /** Runs one command to its end, time limit or cancellation. Never throws for what the command does; throws for what cannot be started. */
  run(spec: CommandSpec, signal: AbortSignal, onOutput?: OutputListener): Promise<CommandResult>;
}
