import {readFileSync} from 'node:fs';
import {systemErrorCode} from '../base/errors.ts';

/**
 * Start time of a process, in an opaque form for comparison: together with the pid it identifies one process, even after the pid was reused.
 * Undefined if the system does not report it (no /proc).
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

/** Fields 3 and 22 of proc_pid_stat(5); the name in field 2 may contain spaces and parentheses, so counting starts after the last parenthesis. */
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
