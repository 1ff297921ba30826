import {accessSync, constants, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';

/** Searches only the system's folders for programs: one that a project brings along would run outside (GHSA-p9g2-cr55-cw9c). */
export function programAt(name: string): string | undefined {
  for (const folder of ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin', '/run/wrappers/bin']) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return realpathSync(join(folder, name));
    } catch {
      // Not here.
    }
  }
  return undefined;
}

export function unavailable(why: string, hint: string = HINT_MODE): FettleError {
  return new FettleError({code: 'UNAVAILABLE', message: `Commands cannot be run in a sandbox: ${why.replace(/\.$/, '')}.`, hint});
}

export const HINT_MODE = 'Use another mode, or --no-sandbox on a disposable machine.';
export const HINT_INSTALL = `Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), apk add bubblewrap (Alpine). ${HINT_MODE}`;
export const HINT_NAMESPACES = `It takes user namespaces: in a container without them, or with AppArmor against them, there is no sandbox. \`fettle doctor\` tries it out. ${HINT_MODE}`;
