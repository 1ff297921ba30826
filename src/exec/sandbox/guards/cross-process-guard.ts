import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {openKernelLock, waitAlone, type KernelLock} from '../../file-lock.ts';
import {waitForSandboxed} from '../linux/sandboxed-processes.ts';

/**
 * State shared by all processes that run commands in one workspace, with the first and the last of them. Nothing of it can be seen or
 * written in the sandbox.
 */
export interface SharedGuard<Found> {
  /** A file to be mounted for every command: it identifies the processes of the command. */
  readonly mark: string;
  /**
   * Registers this process. Returns the state that the others use, or, if no command runs anywhere, the result of `look`, which receives what a
   * killed process has left. `look` records what it is about to create. Throws UNAVAILABLE.
   */
  enter(look: (left: Found | undefined, note: (found: Found) => void) => Promise<Found>): Promise<Found>;
  /** This process does not count any more. Where it was the last and no command runs, `clean` is called. */
  leave(clean: () => Promise<void>): Promise<void>;
}

interface Locks {
  /** Held for the moment of entering and leaving. */
  readonly gate: KernelLock;
  /** Shared by every process that has commands here. */
  readonly inside: KernelLock;
}

/** Opens a guard based on kernel locks, which end with their holder. Processes with different `stateDir` do not know of each other. */
export function openSharedGuard<Found>({root, stateDir}: {readonly root: string; readonly stateDir: string}): SharedGuard<Found> {
  const folder = join(stateDir, 'sandbox', createHash('sha256').update(root).digest('hex').slice(0, 32));
  mkdirSync(folder, {recursive: true, mode: 0o700});
  const mark = join(folder, 'mark');
  writeFileSync(mark, '');
  const locks: Locks = {
    gate: openKernelLock(join(folder, 'door')),
    inside: openKernelLock(join(folder, 'inside')),
  };
  const file = join(folder, 'found.json');
  return {
    mark,
    enter: async (look) =>
      await atGate(locks, async () => {
        const others = !locks.inside.tryAlone();
        locks.inside.release();
        const found = others ? read<Found>(file) : await lookAlone(mark, file, look);
        if (found === undefined) throw unavailable('Another version of Fettle runs commands in this folder.', 'End it, or wait for it.');
        if (!locks.inside.tryShared()) throw new FettleError({code: 'INTERNAL', message: 'A free lock could not be acquired.'});
        return found;
      }),
    leave: async (clean) =>
      await atGate(locks, async () => {
        locks.inside.release();
        const isLast = locks.inside.tryAlone();
        locks.inside.release();
        // An ended process is gone in a moment. If not, the next one cleans up.
        if (!isLast || !(await waitForSandboxed(mark, ENDING_MS))) return;
        await clean();
        rmSync(file, {force: true});
      }),
  };
}

/** Looks at a folder of some ten thousand folders take seconds. */
const GATE_MS = 60_000;
const ENDING_MS = 2000;

async function atGate<T>({gate}: Locks, body: () => Promise<T>): Promise<T> {
  if (!(await waitAlone(gate, GATE_MS))) throw unavailable('Another Fettle is busy with this folder.', 'Try again.');
  try {
    return await body();
  } finally {
    gate.release();
  }
}

async function lookAlone<Found>(mark: string, file: string, look: Parameters<SharedGuard<Found>['enter']>[0]): Promise<Found> {
  if (!(await waitForSandboxed(mark, ENDING_MS)))
    throw unavailable('Commands of a Fettle that has ended still run in this folder.', 'End them, or wait for them.');
  const found = await look(read(file), (noted) => write(file, noted));
  write(file, found);
  return found;
}

/** Reads the state of the form that this version writes; undefined: there is none. */
function read<Found>(file: string): Found | undefined {
  try {
    const {v, found} = JSON.parse(readFileSync(file, 'utf8')) as {v: number; found: Found};
    return v === VERSION ? found : undefined;
  } catch {
    return undefined;
  }
}

const VERSION = 1;

function write(file: string, found: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify({v: VERSION, found}), {mode: 0o600});
  renameSync(`${file}.new`, file);
}

function unavailable(message: string, hint: string): FettleError {
  return new FettleError({code: 'UNAVAILABLE', message, hint});
}
