import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

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

const LONGEST_PAUSE_MS = 20;

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
