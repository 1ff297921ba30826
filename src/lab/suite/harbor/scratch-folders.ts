import {posix} from 'node:path';

/** The folder in which agents of Harbor's tasks work. */
export const APP = '/app';
/** The folder in which the verification of a task leaves its reward. */
export const VERIFIER_LOGS = '/logs/verifier';

/** True for a path that a scratch root has: everything else of the root is that of the machine, and read-only. */
export function isInScratch(path: string): boolean {
  const plain = posix.normalize(path);
  return [APP, '/logs', '/tmp'].some((folder) => plain === folder || plain.startsWith(`${folder}/`));
}
