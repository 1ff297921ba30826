import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {FettleError} from '../../../base/errors.ts';
import type {Isolation} from '../isolation.ts';
import {isolationProfile} from './isolation-profile.ts';

const PROGRAM = '/usr/bin/sandbox-exec';

/**
 * Opens the isolation by a profile of the kernel of macOS. It shows no folder at another path. A process under a profile cannot open another
 * sandbox, so commands of an agent are confined by the outer profile alone. Throws UNAVAILABLE with the reason.
 */
export async function openSeatbeltIsolation(): Promise<Isolation> {
  try {
    await promisify(execFile)(PROGRAM, ['-p', '(version 1)\n(allow default)', '/usr/bin/true'], {timeout: 10_000});
  } catch (cause) {
    const message = 'Commands cannot be run in a sandbox: sandbox-exec does not work here.';
    throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Check that /usr/bin/sandbox-exec runs.', cause});
  }
  return {
    name: 'seatbelt',
    canShow: false,
    wrap({program, args}, rules) {
      if (rules.shown.length > 0) {
        const message = 'Folders cannot be shown at other paths on macOS.';
        throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Run this task on Linux, or with a container engine.'});
      }
      return {program: PROGRAM, args: ['-p', isolationProfile(rules), program, ...args]};
    },
    endAll: async () => undefined,
    close: async () => undefined,
  };
}
