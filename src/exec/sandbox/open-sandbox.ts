import {realpathSync} from 'node:fs';
import {FettleError} from '../../base/errors.ts';
import type {Sandbox, SandboxRules} from './sandbox.ts';

/** Opens the sandbox that this system has. Throws UNAVAILABLE without one: then nothing may be started (CVE-2025-66479 is the opposite). */
export async function openSandbox(requested: SandboxRules): Promise<Sandbox> {
  const rules = {...requested, writable: requested.writable.map(realPath)};
  if ([rules.root, ...rules.writable].includes('/'))
    throw new FettleError({
      code: 'CONFIG',
      message: 'The folder / cannot be written in a sandbox.',
      hint: 'Work in a folder below it, and list such folders in sandbox.writable.',
    });
  switch (process.platform) {
    case 'linux': {
      const {openBubblewrap} = await import('./linux/bubblewrap.ts');
      return await openBubblewrap(rules);
    }
    case 'darwin': {
      const {openSeatbelt} = await import('./mac/seatbelt.ts');
      return await openSeatbelt(rules);
    }
    default:
      throw new FettleError({
        code: 'UNAVAILABLE',
        message: `Commands cannot be sandboxed on ${process.platform}.`,
        hint: 'Use another mode, or --no-sandbox on a disposable machine.',
      });
  }
}

/** Once, before anything runs: a link that a command puts in one of these folders is not followed to another. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
