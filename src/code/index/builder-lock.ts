import {closeSync, mkdirSync, openSync} from 'node:fs';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {openKernelLock} from '../../exec/kernel-lock.ts';

/** Milliseconds between two looks whether another builder is done. */
const LOOK_MS = 50;

/**
 * Waits until no other process builds this index; then nobody else does until it is released. It is a lock of the system on a file of its own:
 * however a builder dies, its lock dies with it.
 */
export async function lockBuilding(database: string, signal: AbortSignal): Promise<() => void> {
  const path = `${database}.lock`;
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  closeSync(openSync(path, 'a', 0o600));
  const lock = openKernelLock(path);
  try {
    while (!lock.tryAlone()) await delay(LOOK_MS, undefined, {signal});
    return () => lock.close();
  } catch (thrown) {
    lock.close();
    throw thrown;
  }
}
