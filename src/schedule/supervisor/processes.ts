import {spawn} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import {FettleError} from '../../base/errors.ts';
import {identityOf, isOfThisBoot, lifeOf, type ProcessIdentity, type ProcessLife} from '../../exec/process/process-identity.ts';
import {endTree} from '../../exec/process/process-tree.ts';
import type {ProgramCommand} from './supervisor-ports.ts';

/** The processes of the system, as the daemon sees them. */
export interface Processes {
  /** Identifies this process. */
  own(): ProcessIdentity;
  life(identity: ProcessIdentity): ProcessLife;
  isOfThisBoot(identity: ProcessIdentity): boolean;
  /** Starts a process that outlives this one. Its stderr goes to a file. Resolves when it has ended, in whatever way, or could not be started. */
  start(command: ProgramCommand, errorsFile: string | undefined): Promise<void>;
  /** Asks a living process to end. */
  terminate(identity: ProcessIdentity): void;
  /** Ends the group of a leader with everything that inherited the marker. */
  endGroup(leader: ProcessIdentity, marker: string): Promise<void>;
}

export const systemProcesses: Processes = {
  own: ownIdentity,
  life: lifeOf,
  isOfThisBoot,
  start: startDetached,
  terminate({pid}) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It has ended meanwhile.
    }
  },
  async endGroup(leader, marker) {
    const now = identityOf(leader.pid);
    const isOther = now !== undefined && lifeOf(leader) !== 'alive';
    // Its number belongs to another process: the guard of its supervisor has ended the group.
    if (!isOther) await endTree({leader: leader.pid, marker, since: Number(leader.start) || 0});
  },
};

function ownIdentity(): ProcessIdentity {
  const own = identityOf(process.pid);
  if (own === undefined) throw new FettleError({code: 'UNAVAILABLE', message: 'This system does not tell when a process was started.'});
  return own;
}

async function startDetached({file, args, env}: ProgramCommand, errorsFile: string | undefined): Promise<void> {
  const errors = errorsFile === undefined ? undefined : openSync(errorsFile, 'w', 0o600);
  const ended = Promise.withResolvers<void>();
  try {
    const child = spawn(file, args, {cwd: '/', env, detached: true, stdio: ['ignore', 'ignore', errors ?? 'ignore']});
    child.once('error', () => ended.resolve()).once('exit', () => ended.resolve());
    child.unref();
  } finally {
    if (errors !== undefined) closeSync(errors);
  }
  await ended.promise;
}
