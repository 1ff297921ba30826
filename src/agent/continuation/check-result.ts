/** The result of a command that verifies the work. */
export interface CheckResult {
  readonly command: string;
  /** `passed` only if the command ran to its end and exited with 0. */
  readonly state: 'passed' | 'failed' | 'timed_out' | 'denied' | 'cancelled';
  /** null if the command has none. */
  readonly exitCode: number | null;
  /** Output of the command, or the reason why it was not run; bounded and redacted. */
  readonly output: string;
  readonly durationMs: number;
  /** A rule that would allow the command. */
  readonly hint?: string | undefined;
}

/** Describes the result in one line for people and models. */
export function describeCheck({command, state, exitCode, durationMs}: CheckResult): string {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  const name = `\`${oneLine(command)}\``;
  switch (state) {
    case 'passed':
      return `${name} exited with 0 after ${seconds}`;
    case 'timed_out':
      return `${name} did not end in time (${seconds})`;
    case 'denied':
      return `${name} was not allowed to run`;
    case 'cancelled':
      return `${name} was cancelled`;
    case 'failed':
      return exitCode === null ? `${name} has no exit code` : `${name} exited with ${exitCode} after ${seconds}`;
  }
}

const MAX_SHOWN = 200;

function oneLine(command: string): string {
  const line = command.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
