import {quickExec} from './command-line/quick-exec.ts';
import {runProcess} from './run-process.ts';

/** Runs the command line and sets the exit code. `argv` is without the program's own name. */
export async function main(argv: readonly string[]): Promise<void> {
  await runProcess(
    async (io) => (await quickExec(argv, io)) ?? (await (await import('./command-line/program.ts')).runCommandLine(argv, io)),
  );
}

// When the sources run as they are; the installed command goes through launcher.cjs.
if (import.meta.main) await main(process.argv.slice(2));
