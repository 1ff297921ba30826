import {join} from 'node:path';

/** Returns the folder of the trust records, below the state folder: one file for each project. */
export function trustFolder(stateDir: string): string {
  return join(stateDir, 'trust');
}
