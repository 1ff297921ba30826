import {spawn} from 'node:child_process';
import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import {FettleError, systemErrorCode} from '../../base/errors.ts';
import {onAbort} from '../../base/waiting/on-abort.ts';
import {PLATFORM} from '../../exec/process/platform.ts';
import {systemClock, type Clock} from '../clock.ts';
import type {Notification} from '../daemon/daemon-ports.ts';
import {desktopCommand} from './desktop-command.ts';

export interface TellOptions {
  /** A program with its first arguments; absent: the desktop, where there is one. */
  readonly command?: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The name of the operating system in Node. */
  readonly platform?: string;
  readonly clock?: Clock;
}

/** The time that a command has to tell a person. */
const LIMIT_MS = 10_000;

/**
 * Makes the function that tells a person of the end of a run, or a reminder. A command of the person gets the title and the text as its two last
 * arguments, and the run as JSON on stdin. It throws UNAVAILABLE where there is neither a command nor a desktop, and where the command cannot
 * be started, fails, or takes more than ten seconds.
 */
export function createTell({
  command,
  env,
  platform = PLATFORM,
  clock = systemClock,
}: TellOptions): (notification: Notification, signal: AbortSignal) => Promise<void> {
  return async (notification, signal) => {
    const {title, text, run} = notification;
    const argv =
      command === undefined || command.length === 0
        ? desktopCommand({title, text}, {env, platform, has: (program) => isInstalled(program, env)})
        : [...command, title, text];
    if (argv === undefined) throw nowhere();
    await runCommand(argv, {env, input: `${JSON.stringify(run)}\n`, clock}, signal);
  };
}

function nowhere(): FettleError {
  const hint = 'Set a command of your own in config.toml: [schedule] notify = ["ntfy", "publish", "my-topic"]';
  return new FettleError({code: 'UNAVAILABLE', message: 'There is no desktop to notify on.', hint});
}

function isInstalled(program: string, env: TellOptions['env']): boolean {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return statSync(join(folder, program)).isFile();
    } catch {
      return false;
    }
  });
}

interface Running {
  readonly env: TellOptions['env'];
  readonly input: string;
  readonly clock: Clock;
}

async function runCommand([file = '', ...args]: readonly string[], {env, input, clock}: Running, signal: AbortSignal): Promise<void> {
  const failure = (why: string, cause?: unknown): FettleError =>
    new FettleError({code: 'UNAVAILABLE', message: `${file} ${why}.`, hint: 'See `notify` below [schedule] in config.toml.', cause});
  const done = Promise.withResolvers<void>();
  const child = spawn(file, args, {cwd: '/', env, detached: true, stdio: ['pipe', 'ignore', 'ignore']});
  child.once('error', (cause) => done.reject(failure(`cannot be started (${systemErrorCode(cause) ?? cause.message})`, cause)));
  child.once('exit', (code, killer) => {
    if (code === 0) done.resolve();
    else done.reject(failure(killer === null ? `ended with exit code ${code}` : `was ended by ${killer}`));
  });
  child.stdin.on('error', () => undefined); // it need not read
  child.stdin.end(input);
  const end = (why: string): void => {
    done.reject(failure(why));
    killGroup(child.pid);
  };
  const cancel = clock.after(LIMIT_MS, () => end(`took more than ${LIMIT_MS / 1000} seconds`));
  const leave = onAbort(signal, () => end('was cancelled'));
  try {
    await done.promise;
  } finally {
    cancel();
    leave();
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
