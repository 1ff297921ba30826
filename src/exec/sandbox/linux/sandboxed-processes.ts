import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {FettleError} from '../../../base/errors.ts';

/**
 * The processes, of this Fettle or another, that have this file mounted: those of the commands that were marked with it, which none of them can
 * remove. The first process of a sandbox is gone only when the others are (pid_namespaces(7)), but its locks are released before that.
 */
export function sandboxedProcesses(mark: string): string[] {
  const own = linkOf('self');
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const namespace = linkOf(name);
    return namespace !== own && mountsOf(name).includes(` ${escaped(mark)} `);
  });
}

/** False: some are still there after `timeoutMs`. */
export async function waitForSandboxed(mark: string, timeoutMs: number): Promise<boolean> {
  let clean = 0;
  for (let waited = 0, pause = 1; ; waited += pause, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const found = sandboxedProcesses(mark).length > 0;
    clean = found ? 0 : clean + 1;
    // One that starts another and ends may be missed once.
    if (clean === 2 || (clean === 1 && waited === 0)) return true;
    if (waited >= timeoutMs) return false;
    await delay(pause);
  }
}

/** Kills all of them until none is left. Throws IO if one is still there after {@link END_MS}. */
export async function endSandboxed(mark: string): Promise<void> {
  for (const begin = performance.now(); performance.now() - begin < END_MS;) {
    const found = sandboxedProcesses(mark);
    if (found.length === 0 && sandboxedProcesses(mark).length === 0) return;
    for (const pid of found) kill(Number(pid));
    await delay(1);
  }
  throw new FettleError({code: 'IO', message: `Processes that see ${mark} could not be ended.`, hint: 'Look for them with `ps`.'});
}

const END_MS = 10_000;
const LONGEST_PAUSE_MS = 20;

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** Undefined: it is gone, or belongs to another user. */
function linkOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    return undefined;
  }
}

function mountsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
  } catch {
    return '';
  }
}

/** As the kernel writes a path there (proc(5), mountinfo). */
function escaped(path: string): string {
  return path.replaceAll(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
