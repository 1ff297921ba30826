import {isFettleError} from '../../base/errors.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {showCheckpoint} from './checkpoints.ts';

/** A file that turns have changed, with the numbers of added and removed lines. */
export interface ChangedLines {
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'deleted';
  readonly added: number;
  readonly removed: number;
}

/** Counts the changes saved for undo under these checkpoints; unreadable ones are left out. */
export async function turnChanges(settings: SessionSettings, checkpoints: readonly string[]): Promise<readonly ChangedLines[]> {
  const files = new Map<string, ChangedLines>();
  for (const id of checkpoints) {
    for (const {path, kind, text} of await diffsOf(settings, id)) {
      const {added, removed} = countedLines(text);
      const before = files.get(path);
      const total = {path, kind: before?.kind ?? kind, added: added + (before?.added ?? 0), removed: removed + (before?.removed ?? 0)};
      files.set(path, total);
    }
  }
  return [...files.values()];
}

async function diffsOf(settings: SessionSettings, id: string): ReturnType<typeof showCheckpoint> {
  try {
    return await showCheckpoint(settings, id, []);
  } catch (error) {
    if (!isFettleError(error)) throw error;
    return [];
  }
}

/** Counts the changed lines of a unified diff; a sentence in its place counts nothing. */
function countedLines(diff: string): Pick<ChangedLines, 'added' | 'removed'> {
  if (!diff.startsWith('--- ')) return {added: 0, removed: 0};
  const body = diff.split('\n').slice(2);
  const begins = (mark: string): number => body.filter((line) => line.startsWith(mark)).length;
  return {added: begins('+'), removed: begins('-')};
}
