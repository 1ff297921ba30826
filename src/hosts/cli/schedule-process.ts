import {writeSync} from 'node:fs';
import {toFettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import {userHome} from '../../exec/variables/user-home.ts';
import {exitCodeOfError} from '../../protocol/exit-code.ts';
import type {Io} from './io.ts';

/**
 * `fettle schedule daemon` and `fettle schedule supervise ID` as the launcher starts them: without the parser of commands, the agent and the
 * streams of Node, since these processes stay in memory for months, and for as long as a run. `argv` is without the program's own name.
 */
export async function main([, command, id]: readonly string[]): Promise<void> {
  const io = quietIo();
  try {
    process.exitCode =
      command === 'daemon'
        ? await (await import('./commands/schedule/daemon.ts')).scheduleDaemon(io)
        : await (await import('./commands/schedule/supervise.ts')).supervise(io, Number(id));
  } catch (thrown) {
    const [{describeError}, {ownFolderError}] = await Promise.all([
      import('./output/describe-error.ts'),
      import('./output/state-folder-error.ts'),
    ]);
    const error = ownFolderError(thrown, io) ?? toFettleError(thrown);
    io.note(describeError(error, io.paint));
    process.exitCode = exitCodeOfError(error.code);
  }
}

/** Nobody types here, and nothing is painted: what is said goes to a log. */
function quietIo(): Io {
  const write = (fd: 1 | 2, text: string): void => {
    try {
      writeSync(fd, visibleText(text));
    } catch {
      // Nobody reads the log any more, and the schedule goes on.
    }
  };
  const data = (text: string): void => write(1, text);
  return {
    env: process.env,
    cwd: '/',
    home: userHome(process.env),
    interactive: false,
    readStdin: async () => await Promise.resolve(''),
    piped: () => undefined,
    data,
    shown: data,
    note: (line) => write(2, `${line}\n`),
    progress: (text) => write(2, text),
    status: () => false,
    paint: (_, text) => text,
  };
}
