import {existsSync, readFileSync} from 'node:fs';
import {openKernelLock} from '../../exec/kernel-lock.ts';
import type {ScheduleFolders} from '../store/schedule-folders.ts';

/** The daemon that runs for this user. */
export interface RunningDaemon {
  /** Its number; absent in the moment of its start. */
  readonly pid?: number;
  /** Milliseconds since 1970. */
  readonly startedAt?: number;
}

/** Returns the daemon that runs; undefined where none does. Not to be called in the process of the daemon itself. */
export function runningDaemon({lock, daemon}: Pick<ScheduleFolders, 'lock' | 'daemon'>): RunningDaemon | undefined {
  if (!existsSync(lock)) return undefined;
  const kernel = openKernelLock(lock);
  try {
    return kernel.tryShared() ? undefined : readDaemon(daemon);
  } finally {
    kernel.close();
  }
}

/** Returns the text that `readDaemon` understands. */
export function daemonText(startedAt: number): string {
  return JSON.stringify({pid: process.pid, startedAt});
}

/** Reads who runs as the daemon; empty where that is not known. */
export function readDaemon(file: string): RunningDaemon {
  try {
    const said: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof said !== 'object' || said === null || !('pid' in said) || !('startedAt' in said)) return {};
    return typeof said.pid === 'number' && typeof said.startedAt === 'number' ? {pid: said.pid, startedAt: said.startedAt} : {};
  } catch {
    return {};
  }
}
