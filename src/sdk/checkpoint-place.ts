import {isLocked} from '../sessions/writer-lock.ts';
import {findSession} from '../sessions/session-files.ts';
import type {CheckpointLimits} from '../workspace/checkpoints/checkpointer.ts';
import {recoverCheckpoints} from '../workspace/checkpoints/recover.ts';
import {storePlace, type StorePlace} from '../workspace/checkpoints/store-place.ts';
import type {SessionSettings} from './load-settings.ts';

/** Everything that the checkpoints of one folder need to know. */
export interface CheckpointPlace {
  readonly place: StorePlace;
  readonly limits: CheckpointLimits;
  readonly maxAgeMs: number;
  /** A session that some process writes. */
  readonly isActive: (session: string) => boolean;
}

/** `root` is real. `own` is the session of this process: it holds the lock, but wrote none of what lies there unfinished. */
export function checkpointPlace(
  {settings, paths}: Pick<SessionSettings, 'settings' | 'paths'>,
  root: string,
  own?: string,
): CheckpointPlace {
  const {max_mb: maxMb, max_file_mb: maxFileMb, max_days: maxDays} = settings.checkpoints;
  return {
    place: storePlace(paths.stateDir, root),
    limits: {maxBytes: maxMb * MEGABYTE, maxFileBytes: maxFileMb * MEGABYTE, maxEntries: 200_000, maxReadMs: 20_000},
    maxAgeMs: maxDays * DAY_MS,
    isActive: (session) => session !== own && isRunning(paths.stateDir, session),
  };
}

/** Finishes what killed sessions left. */
export async function recoverPlace({place, limits, isActive}: CheckpointPlace, session: SessionSettings): Promise<void> {
  const {ignored} = session.settings.checkpoints;
  const scan = {ignored, env: session.env, own: place.own, maxEntries: limits.maxEntries, maxReadMs: limits.maxReadMs};
  const capture = {folder: place.root, maxFileBytes: limits.maxFileBytes};
  await recoverCheckpoints({place, isActive, scan, capture}, new AbortController().signal);
}

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;

function isRunning(stateDir: string, session: string): boolean {
  try {
    return isLocked(`${findSession(stateDir, session).file}.lock`);
  } catch {
    return false; // deleted
  }
}
