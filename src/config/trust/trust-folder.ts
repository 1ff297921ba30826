import {join} from 'node:path';

/** Where trust is kept, below the state folder: one file for each project. */
export function trustFolder(stateDir: string): string {
  return join(stateDir, 'trust');
}
