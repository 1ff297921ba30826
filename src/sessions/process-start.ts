import {readFileSync} from 'node:fs';
import {systemErrorCode} from '../base/errors.ts';

/**
 * When a process was started, in a form that only compares: with the pid it names one process, also after the pid was used again.
 * Undefined where the system does not tell (no /proc).
 */
export function processStart(pid: number): string | undefined {
  return processStat(pid)?.started;
}

/** True while the process of that pid and start runs; a zombie does not. */
export function isRunning({pid, started}: {readonly pid: number; readonly started: string | undefined}): boolean {
  if (pid <= 0 || !answers(pid)) return false;
  const stat = processStat(pid);
  if (stat === undefined) return true;
  if (stat.state === 'Z' || stat.state === 'X') return false;
  return started === undefined || stat.started === started;
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

/** Fields 3 and 22 of proc_pid_stat(5); the name in field 2 may hold spaces and brackets, so counting starts behind its last bracket. */
function processStat(pid: number): {state: string; started: string} | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const started = rest[18];
    return state === undefined || started === undefined ? undefined : {state, started};
  } catch {
    return undefined; // no /proc here, or the process has just ended
  }
}
