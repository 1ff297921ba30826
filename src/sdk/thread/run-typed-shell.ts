import {createRedactor} from '../../base/redact.ts';
import type {CapturedOutput, CommandResult, OutputListener} from '../../exec/process/command.ts';
import type {ExecEnvironment} from '../../exec/environment.ts';

/** The result of a shell line that a person typed. */
export interface TypedCommand {
  /** stdout, then stderr; without its middle where it is long. */
  readonly output: string;
  /** null if a signal ended the command, including one sent by a person. */
  readonly exitCode: number | null;
}

export interface TypedShell {
  readonly exec: Pick<ExecEnvironment, 'run'>;
  /** Values that must not reach a model. */
  readonly secrets: readonly string[] | undefined;
  /** Tells the model, in front of the next prompt. */
  readonly tell: (text: string) => void;
  readonly onOutput?: OutputListener | undefined;
}

/** Runs a line that a person typed, without approval: it is theirs. The model gets the line and its output. */
export async function runTypedShell(line: string, {exec, secrets, tell, onOutput}: TypedShell, signal: AbortSignal): Promise<TypedCommand> {
  const done = await exec.run({shell: line, timeoutMs: MOST_MS, capture: CAPTURE}, signal, onOutput);
  const output = outputOf(done);
  const {text} = createRedactor({secrets, shapes: false});
  tell(
    text(
      `<user_shell_command>\n<command>${line}</command>\n<exit_code>${endOf(done)}</exit_code>\n<output>\n${output}\n</output>\n</user_shell_command>`,
    ),
  );
  return {output, exitCode: done.exitCode};
}

const MOST_MS = 30 * 60_000;
/** Most bytes of each stream: enough for the end of a test run, and a tenth of a small window. */
const CAPTURE = {headBytes: 4000, tailBytes: 12_000};

function endOf({exitCode, cancelled, timedOut, signal}: CommandResult): string {
  if (cancelled) return 'cancelled by the user';
  if (timedOut) return 'ended after 30 minutes';
  return exitCode === null ? `ended by ${signal ?? 'a signal'}` : String(exitCode);
}

function outputOf({stdout, stderr}: CommandResult): string {
  return [stdout, stderr]
    .map(streamText)
    .filter((text) => text !== '')
    .join('\n');
}

function streamText({head, tail, truncated, totalBytes, spillPath}: CapturedOutput): string {
  if (!truncated) return head.trimEnd();
  const where = spillPath === undefined ? '' : `; all of it: ${spillPath}`;
  return `${head}\n[… ${totalBytes} bytes in all${where}]\n${tail.trimEnd()}`;
}
