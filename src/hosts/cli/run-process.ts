import {fstatSync} from 'node:fs';
import {text} from 'node:stream/consumers';
import {toFettleError} from '../../base/errors.ts';
import {userHome} from '../../exec/variables/user-home.ts';
import {exitCodeOfError} from '../../protocol/exit-code.ts';
import type {Io} from './io.ts';
import {describeError} from './output/describe-error.ts';
import {createOutput} from './output/output.ts';
import {ownFolderError} from './output/state-folder-error.ts';

/** Runs what a command line asks for with the streams of this process, reports what is thrown, and sets the exit code. */
export async function runProcess(run: (io: Io) => Promise<number>): Promise<void> {
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
    process.exitCode = await run(io);
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
