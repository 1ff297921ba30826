import {spawn, type ChildProcess, type StdioOptions} from 'node:child_process';
import {once} from 'node:events';
import {stat} from 'node:fs/promises';
import type {Readable} from 'node:stream';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import type {Variables} from './child-environment.ts';
import type {CommandSpec} from './command.ts';
import {openOutputPipes} from './output-pipes.ts';

export interface OutputChild {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

interface Place {
  readonly cwd: string;
  readonly env: Variables;
}

/**
 * Starts the command as leader of its own session, without a terminal and with a closed stdin.
 * Errors: NOT_FOUND (working folder), UNAVAILABLE (program), BAD_ARGS (NUL, or longer than the system takes).
 */
export async function startChild(spec: CommandSpec, place: Place): Promise<OutputChild> {
  if (!('shell' in spec)) return start(spec.program, spec.args, place);
  try {
    return await start('bash', ['--norc', '--noprofile', '-c', spec.shell], place);
  } catch (thrown) {
    if (toFettleError(thrown).code !== 'UNAVAILABLE') throw thrown;
    return start('sh', ['-c', spec.shell], place);
  }
}

async function start(program: string, args: readonly string[], {cwd, env}: Place): Promise<OutputChild> {
  const pipes = await openOutputPipes(env);
  const [out, err] = pipes?.childEnds ?? (['pipe', 'pipe'] as const);
  const stdio: StdioOptions = ['ignore', out, err];
  try {
    const child = spawn(program, args, {cwd, env, detached: true, windowsHide: true, stdio});
    await once(child, 'spawn');
    const {stdout, stderr} = pipes ?? child;
    if (stdout === null || stderr === null)
      throw new FettleError({code: 'INTERNAL', message: `${program} was started without its streams.`});
    return {process: child, pid: child.pid ?? 0, stdout, stderr};
  } catch (thrown) {
    pipes?.stdout.destroy();
    pipes?.stderr.destroy();
    throw await explain(thrown, program, cwd);
  } finally {
    pipes?.closeChildEnds();
  }
}

async function explain(thrown: unknown, program: string, cwd: string): Promise<FettleError> {
  if (!(await isFolder(cwd))) {
    const hint = 'Name an existing folder, or leave the working folder out.';
    return new FettleError({code: 'NOT_FOUND', message: `The working folder ${cwd} does not exist.`, hint, cause: thrown});
  }
  const code = systemErrorCode(thrown);
  if (code === 'ENOENT' || code === 'EACCES') {
    const what = code === 'ENOENT' ? 'was not found on this machine' : 'may not be executed';
    const hint = 'Check the name and PATH, or install the program.';
    return new FettleError({code: 'UNAVAILABLE', message: `The program ${program} ${what}.`, hint, cause: thrown});
  }
  if (code === 'E2BIG' || thrown instanceof TypeError) {
    const hint = 'No NUL characters; put long input into a file and pass its path.';
    return new FettleError({code: 'BAD_ARGS', message: 'The system does not take this command line.', hint, cause: thrown});
  }
  return toFettleError(thrown);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
