import {fstatSync} from 'node:fs';
import {text} from 'node:stream/consumers';
import {toFettleError} from '../../base/errors.ts';
import {userHome} from '../../exec/variables/user-home.ts';
import {exitCodeOfError} from '../../protocol/exit-code.ts';
import {describeError} from './output/describe-error.ts';
import type {Io} from './io.ts';
import {createOutput} from './output/output.ts';
import {ownFolderError} from './output/state-folder-error.ts';
import {quickExec} from './command-line/quick-exec.ts';

/** Runs the command line and sets the exit code. `argv` is without the program's own name. */
export async function main(argv: readonly string[]): Promise<void> {
  const output = createOutput(process.env);
  const io: Io = {
    ...output,
    env: process.env,
    cwd: workingFolder(),
    home: userHome(process.env),
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    readStdin: () => text(process.stdin),
    piped: pipedStdin,
  };
  try {
    process.exitCode = (await quickExec(argv, io)) ?? (await (await import('./command-line/program.ts')).runCommandLine(argv, io));
  } catch (thrown) {
    const error = ownFolderError(thrown, io) ?? toFettleError(thrown);
    output.note(describeError(error, output.paint));
    process.exitCode = exitCodeOfError(error.code);
  }
  // A tool of a user that was left alone may hold a timer or a socket for hours. Where nothing does, the process ends at once.
  setTimeout(() => process.exit(), LEFTOVER_MS).unref();
}

/** A terminal is typed into, and devices such as /dev/null hold nothing. */
function pipedStdin(): NodeJS.ReadableStream | undefined {
  const found = fstatSync(0);
  return found.isFIFO() || found.isSocket() || found.isFile() ? process.stdin : undefined;
}

/** Empty if it was deleted: `-C` can still name another one. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '';
  }
}

const LEFTOVER_MS = 1000;

// When the sources run as they are; the installed command goes through launcher.cjs.
if (import.meta.main) await main(process.argv.slice(2));
