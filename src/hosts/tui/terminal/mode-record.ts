import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** A note that this process has changed the modes of a terminal, for the time after a kill that no handler sees. */
export interface TerminalModeRecord {
  remove(): void;
}

export interface RecordPlace {
  /** `<state>/terminals`; it is made. */
  readonly folder: string;
  /** The terminal's device, such as `/dev/pts/3`. */
  readonly tty: string;
  readonly pid: number;
}

/** Writes the record. A folder that cannot be written costs only the restoring after a kill: undefined then. */
export function recordModes({folder, tty, pid}: RecordPlace): TerminalModeRecord | undefined {
  const file = join(folder, `${pid}.json`);
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700});
    rmSync(file, {force: true});
    // `wx`: does not follow a link that another user put there.
    writeFileSync(file, JSON.stringify({tty}), {mode: 0o600, flag: 'wx'});
  } catch {
    return undefined;
  }
  return {remove: () => rmSync(file, {force: true})};
}

/** True if a dead process has left the modes of this terminal changed. Its record is removed, and those of other dead processes on this terminal. */
export function takeLeftModes({folder, tty, pid}: RecordPlace, isAlive: (pid: number) => boolean): boolean {
  let hasLeft = false;
  for (const name of namesIn(folder)) {
    const of = Number(/^(\d+)\.json$/.exec(name)?.[1]);
    if (!Number.isSafeInteger(of) || (of !== pid && isAlive(of)) || ttyOf(join(folder, name)) !== tty) continue;
    hasLeft = true;
    rmSync(join(folder, name), {force: true});
  }
  return hasLeft;
}

/** Returns true if a process with this number runs, also one of another user. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function ttyOf(file: string): unknown {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as {tty?: unknown}).tty;
  } catch {
    return undefined;
  }
}
