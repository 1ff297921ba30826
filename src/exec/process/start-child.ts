import {spawn, type ChildProcess, type StdioOptions} from 'node:child_process';
import {once} from 'node:events';
import {stat} from 'node:fs/promises';
import type {Readable} from 'node:stream';
import {FettleError, systemErrorCode, toFettleError} from '../../base/errors.ts';
import type {Variables} from '../variables/child-environment.ts';
import type {CommandSpec} from './command.ts';
import {openInput} from './input-file.ts';
import {openOutputPipes} from '../capture/output-pipes.ts';
import type {Sandbox} from '../sandbox/sandbox.ts';

export interface OutputChild {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

interface Place {
  readonly cwd: string;
  readonly env: Variables;
  /** The sandbox for the child, if there is one. */
  readonly sandbox?: Sandbox | undefined;
  /** Called when it has ended, with notices for the user, once the sandbox has restored the files it moved. */
  readonly onReleased?: ((notes: Promise<readonly string[]>) => void) | undefined;
}

/**
 * Starts the command as leader of its own session, without a terminal; its stdin is closed, or has the given input.
 * Errors: NOT_FOUND (working folder), UNAVAILABLE (program), BAD_ARGS (NUL, or longer than the system takes).
 */
export async function startChild(spec: CommandSpec, place: Place): Promise<OutputChild> {
  if (place.sandbox !== undefined) return await startWrapped(spec, place, place.sandbox);
  const {input} = spec;
  if (!('shell' in spec)) return start(spec.program, spec.args, {...place, input});
  try {
    return await start('bash', ['--norc', '--noprofile', '-c', spec.shell], {...place, input});
  } catch (thrown) {
    if (toFettleError(thrown).code !== 'UNAVAILABLE') throw thrown;
    return start('sh', ['-c', spec.shell], {...place, input});
  }
}

/** Starts a sandboxed command; the resources of its sandbox are released when it has ended, and everything in it with it. */
async function startWrapped(spec: CommandSpec, place: Place, sandbox: Sandbox): Promise<OutputChild> {
  const command = 'shell' in spec ? {program: 'bash', args: ['--norc', '--noprofile', '-c', spec.shell]} : spec;
  if ([command.program, ...command.args].some((part) => part.includes('\0'))) throw notTaken(undefined);
  const wrapped = await sandbox.wrap(command, place);
  const release = (): void => {
    const notes = wrapped.release();
    place.onReleased?.(notes);
  };
  try {
    const child = await start(wrapped.program, wrapped.args, {...place, env: wrapped.env, input: spec.input});
    if (child.process.exitCode === null && child.process.signalCode === null) child.process.once('exit', release);
    else release();
    return child;
  } catch (thrown) {
    release();
    throw thrown;
  }
}

async function start(
  program: string,
  args: readonly string[],
  {cwd, env, input}: Place & Pick<CommandSpec, 'input'>,
): Promise<OutputChild> {
  const pipes = await openOutputPipes(env);
  const [out, err] = pipes?.childEnds ?? (['pipe', 'pipe'] as const);
  const source = await openInput(input);
  const stdio: StdioOptions = [source.stdio, out, err];
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
    source.close();
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
  return code === 'E2BIG' || thrown instanceof TypeError ? notTaken(thrown) : toFettleError(thrown);
}

function notTaken(cause: unknown): FettleError {
  const hint = 'No NUL characters; put long input into a file and pass its path.';
  return new FettleError({code: 'BAD_ARGS', message: 'The system does not take this command line.', hint, cause});
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
