import {spawn} from 'node:child_process';
import {onAbort} from '../../../../base/waiting/on-abort.ts';
import {LATE, orLate} from '../../../../base/waiting/or-late.ts';

export interface ToolRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** `failed`: it could not be started, or ended with another exit code than 0. */
export type ToolEnd = {readonly type: 'done'; readonly output: Buffer} | {readonly type: 'failed' | 'timeout' | 'flood' | 'cancelled'};

/**
 * Runs a program that writes to stdout and ends soon. One that does not end, or writes without end, is killed with all that it started in its
 * group. Never rejects.
 */
export async function runTool({program, args, env, maxBytes, timeoutMs}: ToolRun, signal: AbortSignal): Promise<ToolEnd> {
  if (signal.aborted) return {type: 'cancelled'};
  // In a group of its own; not in the working folder, whose files could influence it.
  const child = spawn(program, args, {cwd: '/', env: {...env}, detached: true, stdio: ['ignore', 'pipe', 'ignore']});
  const ended = Promise.withResolvers<ToolEnd>();
  const chunks: Buffer[] = [];
  let size = 0;
  const leave = onAbort(signal, () => ended.resolve({type: 'cancelled'}));
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) ended.resolve({type: 'flood'});
    else chunks.push(chunk);
  });
  child.on('error', () => ended.resolve({type: 'failed'}));
  child.on('close', (code) => ended.resolve(code === 0 ? {type: 'done', output: Buffer.concat(chunks)} : {type: 'failed'}));
  const end = await orLate(ended.promise, timeoutMs);
  leave();
  child.stdout.destroy();
  killGroup(child.pid);
  return end === LATE ? {type: 'timeout'} : end;
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
