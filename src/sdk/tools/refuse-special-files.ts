import {lstat} from 'node:fs/promises';
import type {Subject} from '../../policy/decision.ts';
import {notAFile} from '../../workspace/open-regular-file.ts';

/**
 * Refuses subjects that no tool reads or writes, whatever the rules say: FIFOs, sockets and devices, and files in the place of a folder.
 * Throws NOT_A_FILE.
 */
export async function refuseSpecial(subjects: readonly Subject[], permission: string, input: unknown): Promise<void> {
  const writesText = permission === 'edit' || (permission === 'write' && typeof input === 'object' && input !== null && 'content' in input);
  for (const subject of subjects) {
    if (subject.kind !== 'path') continue;
    const stats = await lstat(subject.path).catch(() => undefined);
    if (stats === undefined || stats.isFile() || stats.isSymbolicLink()) continue;
    if (!stats.isDirectory() || writesText) throw notAFile(subject.path, stats);
  }
}
