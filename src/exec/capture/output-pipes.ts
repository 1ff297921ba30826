import {execFile} from 'node:child_process';
import {closeSync, constants, openSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {promisify} from 'node:util';
import type {Variables} from '../variables/child-environment.ts';

/** The two ends of stdout and stderr of one command. */
interface OutputPipes {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** For the child; ours are to be closed when it has started, or the streams never end. */
  readonly childEnds: readonly [number, number];
  closeChildEnds(): void;
}

/**
 * Real pipes. Node gives a child sockets, and on Linux those cannot be opened by name: `echo x > /dev/stderr` and `tee /dev/stdout` would
 * fail. Undefined if sockets do (macOS, Windows) or no pipe can be made.
 */
export async function openOutputPipes(env: Variables): Promise<OutputPipes | undefined> {
  if (process.platform !== 'linux') return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'fettle-pipes-'));
  try {
    const [out, err] = [join(folder, 'out'), join(folder, 'err')];
    await promisify(execFile)('mkfifo', ['-m', '600', out, err], {env, cwd: folder});
    const [stdout, stderr] = [openPipe(out), openPipe(err)];
    const childEnds = [stdout.writeEnd, stderr.writeEnd] as const;
    return {stdout: stdout.stream, stderr: stderr.stream, childEnds, closeChildEnds: () => childEnds.forEach((fd) => closeSync(fd))};
  } catch {
    // No mkfifo here: sockets are good enough.
    return undefined;
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

function openPipe(path: string): {stream: Readable; writeEnd: number} {
  // The reader first and without waiting: a pipe without a reader cannot be opened for writing.
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return {stream: new Socket({fd: readEnd, readable: true, writable: false}), writeEnd: openSync(path, constants.O_WRONLY)};
}
