import {execFile} from 'node:child_process';
import {closeSync, constants, openSync, unlinkSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {promisify} from 'node:util';
import {PLATFORM} from '../process/platform.ts';
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
 * fail. Undefined if sockets do (macOS, Windows) or no pipe can be made. Throws the error of the system if there is no folder for temporary files.
 */
export async function openOutputPipes(env: Variables): Promise<OutputPipes | undefined> {
  if (PLATFORM !== 'linux') return undefined;
  try {
    while (unused.length < PIPES_OF_A_COMMAND) await (making ??= makePipes(env).finally(() => (making = undefined)));
    const stdout = openPipe();
    const stderr = openPipe();
    const childEnds = [stdout.writeEnd, stderr.writeEnd] as const;
    return {stdout: stdout.stream, stderr: stderr.stream, childEnds, closeChildEnds: () => childEnds.forEach((fd) => closeSync(fd))};
  } catch (thrown) {
    if (thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'mkdtemp') throw thrown;
    // No mkfifo or no /proc here: sockets are good enough.
    return undefined;
  }
}

/**
 * Pipes that nobody has opened yet, held by descriptors that can neither read nor write, which no child inherits. They have lost their names:
 * whoever is to have one gets it from here, once. Node has no call for a pipe, and a program that makes one costs more than most commands.
 */
const unused: number[] = [];
const PIPES_OF_A_COMMAND = 2;
const MADE_AT_ONCE = 64;
let making: Promise<void> | undefined;

async function makePipes(env: Variables): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-pipes-'));
  try {
    const paths = Array.from({length: MADE_AT_ONCE}, (_, index) => join(folder, String(index)));
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths], {env, cwd: folder});
    for (const path of paths) {
      unused.push(openSync(path, O_PATH | constants.O_NOFOLLOW));
      unlinkSync(path);
    }
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** O_PATH of Linux: the pipe itself stays closed. */
const O_PATH = 0o10000000;

function openPipe(): {stream: Readable; writeEnd: number} {
  const held = unused.pop();
  if (held === undefined) throw new Error('no pipe is left');
  try {
    const path = `/proc/self/fd/${held}`;
    // The reader first and without waiting: a pipe without a reader cannot be opened for writing.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return {stream: new Socket({fd: readEnd, readable: true, writable: false}), writeEnd: openSync(path, constants.O_WRONLY)};
  } finally {
    closeSync(held);
  }
}
