import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {setImmediate as breathe} from 'node:timers/promises';
import {onTestFinished} from 'vitest';

/** Resolves when a child has ended, by itself or by the signal. */
export async function ended(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (signal !== undefined) child.kill(signal);
  await exited;
}

/** Kills a child when the test ends, and waits for its exit: the folders that the test removes afterwards have no writer. */
export function killedWithTest<T extends ChildProcess>(child: T): T {
  onTestFinished(async () => await ended(child, 'SIGKILL'));
  return child;
}

/**
 * Kills the processes that have a folder in their arguments or variables, or as their working folder, until there are none: also those that
 * outlive on purpose what the test started. Finds none where there is no /proc.
 */
export async function endProcessesOf(folder: string): Promise<void> {
  for (let pids = processesOf(folder); pids.length > 0; pids = processesOf(folder)) {
    for (const pid of pids) kill(pid);
    await breathe();
  }
}

/** Returns the living processes that have a folder in their arguments or variables, or as their working folder. */
export function processesOf(folder: string): readonly number[] {
  if (!existsSync('/proc/self/environ')) return [];
  const pids = readdirSync('/proc').map(Number);
  return pids.filter((pid) => pid > 0 && pid !== process.pid && isOf(folder, pid));
}

function isOf(folder: string, pid: number): boolean {
  const facts = [
    () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    () => readFileSync(`/proc/${pid}/environ`, 'utf8'),
    () => readlinkSync(`/proc/${pid}/cwd`),
  ];
  return facts.some((fact) => {
    try {
      return fact().includes(folder);
    } catch {
      return false; // it has ended, or belongs to somebody else
    }
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
