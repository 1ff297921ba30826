import {randomBytes} from 'node:crypto';
import {opendir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {systemErrorCode} from '../base/errors.ts';

/** A name for the file that an atomic write fills before it replaces the old one; it contains the id of the writing process. */
export function temporaryName(): string {
  return `.fettle-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
}

/** True for temporary files, which are never listed: they belong to a write in progress, or to one that was killed. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.fettle-') && TEMPORARY.test(name);
}

/**
 * Removes files that killed writers left in the folder. Each process checks a folder once: files of living
 * writers stay, and those of writers killed later are found by the next process. `at` is a path through which
 * the folder is held open. Never throws: an unreadable folder is skipped.
 */
export async function removeLeftovers(folder: string, at = folder): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  try {
    let left = MOST_LOOKED_AT;
    for await (const {name} of await opendir(at, {bufferSize: 512})) {
      if (left-- === 0) break;
      const pid = isTemporaryName(name) ? Number(TEMPORARY.exec(name)?.[1]) : process.pid;
      if (pid !== process.pid && isDead(pid)) await unlink(join(at, name)).catch(() => undefined);
    }
  } catch {
    // A folder that cannot be listed does not prevent the write.
  }
}

/** Most entries of a folder that are checked: a write must not wait for hundreds of thousands. */
const MOST_LOOKED_AT = 5000;

const TEMPORARY = /^\.fettle-(\d+)-[0-9a-f]{16}\.tmp$/;
const swept = new Set<string>();

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH';
  }
}
