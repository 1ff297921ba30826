import {FettleError} from '../../base/errors.ts';
import type {Isolation} from './isolation.ts';

/** Opens the isolation that this system has, and tries it out. `stateDir`: folder for its files. Throws UNAVAILABLE with the reason if there is none. */
export async function openIsolation(stateDir: string): Promise<Isolation> {
  switch (process.platform) {
    case 'linux': {
      const {openBubblewrapIsolation} = await import('./linux/bubblewrap-isolation.ts');
      return await openBubblewrapIsolation(stateDir);
    }
    case 'darwin': {
      const {openSeatbeltIsolation} = await import('./mac/seatbelt-isolation.ts');
      return await openSeatbeltIsolation();
    }
    default:
      throw new FettleError({
        code: 'UNAVAILABLE',
        message: `Programs cannot be isolated on ${process.platform}.`,
        hint: 'Use Linux or macOS.',
      });
  }
}
