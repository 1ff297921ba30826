import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {PLATFORM} from './platform.ts';

/**
 * Returns the bytes of memory and swap that the processes use together. Pages of files do not count: the system
 * takes them back when it needs them. The exact sum, in which a page shared by forked processes counts once, is
 * slow to read: it is read only if the quick one, in which such a page counts for each of them, is above the
 * limit. A process that has just ended counts as 0.
 */
export function memoryOf(pids: readonly number[], limit: number): number {
  if (PLATFORM !== 'linux') return residentByPs(pids);
  const quick = pids.map((pid) => kilobytes(`/proc/${pid}/status`, ['RssAnon', 'RssShmem', 'VmSwap']) ?? 0);
  if (sum(quick) <= limit) return sum(quick);
  return sum(pids.map((pid, at) => kilobytes(`/proc/${pid}/smaps_rollup`, ['Pss_Anon', 'Pss_Shmem', 'SwapPss']) ?? quick[at] ?? 0));
}

/** The sum of these lines of a file such as proc_pid_status(5), in bytes; undefined if it cannot be read or has none of them. */
function kilobytes(path: string, names: readonly string[]): number | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
  const found = [...text.matchAll(/^(\w+):\s+(\d+) kB$/gm)].filter(([, name = '']) => names.includes(name));
  return found.length === 0 ? undefined : sum(found.map(([, , value]) => Number(value) * 1024));
}

function residentByPs(pids: readonly number[]): number {
  if (pids.length === 0) return 0;
  try {
    const lines = execFileSync('/bin/ps', ['-o', 'rss=', '-p', pids.join(',')], {encoding: 'utf8'}).split('\n');
    return sum(lines.map((line) => Number(line) * 1024));
  } catch {
    return 0; // all of them have ended
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
