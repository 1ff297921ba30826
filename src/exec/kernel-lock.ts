import {setTimeout as delay} from 'node:timers/promises';
import {DatabaseSync} from 'node:sqlite';

/**
 * A lock of the kernel on a file (fcntl(2), advisory record locks), through SQLite, which uses such locks (sqlite.org/lockingv3.html): it ends with
 * its holder, however that ends. Nothing else in this process may open the file: closing it anywhere releases all locks.
 */
export interface KernelLock {
  /** Exclusive. False: others hold it, exclusive or shared. */
  tryAlone(): boolean;
  /** Beside others who share it. False: another holds it alone. */
  tryShared(): boolean;
  release(): void;
  /** Releases it, and closes the file. */
  close(): void;
}

/** The file is made where it is missing; no other process may be let write to its folder. */
export function openKernelLock(file: string): KernelLock {
  const database = new DatabaseSync(file);
  const begin = (...statements: readonly string[]): boolean => {
    try {
      for (const statement of statements) database.exec(statement);
      return true;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      if (isBusy(error)) return false;
      throw error;
    }
  };
  return {
    tryAlone: () => begin('BEGIN EXCLUSIVE'),
    tryShared: () => begin('BEGIN', 'SELECT 1 FROM sqlite_schema'),
    release() {
      if (database.isTransaction) database.exec('ROLLBACK');
    },
    close: () => database.close(),
  };
}

/** Waits until it is held alone. False: not within `timeoutMs`. */
export async function waitAlone(lock: KernelLock, timeoutMs: number): Promise<boolean> {
  for (let waited = 0, pause = 1; ; waited += pause, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    if (lock.tryAlone()) return true;
    if (waited >= timeoutMs) return false;
    await delay(pause);
  }
}

const LONGEST_PAUSE_MS = 20;

/** Tells whether SQLite threw SQLITE_BUSY; the higher bits say why (sqlite.org/rescode.html). */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;
}
