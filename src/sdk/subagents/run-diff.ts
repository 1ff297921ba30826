import {checkpointTexts, diffCheckpoint, type FileTexts} from '../../workspace/checkpoints/diff-checkpoint.ts';
import type {Change, Checkpoint} from '../../workspace/checkpoints/checkpoint.ts';
import {bytePath, pathText, type BytePath} from '../../workspace/checkpoints/byte-path.ts';
import type {ChangedPath} from '../../agent/verification/check-changes.ts';
import {netChanges, readCheckpoints} from '../../workspace/checkpoints/read-checkpoints.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {checkpointPlace} from '../undo/checkpoint-place.ts';
import {TASKS} from '../verification/task-files.ts';

/** Returns the paths that a session has changed, if they were saved for undo; undone changes are left out. */
export function runChanges({session, threadId, root}: Pick<RunDiff, 'session' | 'threadId' | 'root'>): readonly ChangedPath[] {
  const {place} = checkpointPlace(session, root);
  const changes = joined(readCheckpoints(place).filter((one) => one.session === threadId));
  return netChanges({changes}).map(([path, {before, after}]) => ({
    path: pathText(path),
    change: before === null ? 'created' : after === null ? 'deleted' : 'changed',
  }));
}

export interface RunDiff {
  readonly session: SessionSettings;
  readonly threadId: string;
  readonly root: string;
  /** Files known to be changed; used if nothing was saved for undo. */
  readonly touched: readonly string[];
}

/**
 * Returns the diff of everything that a session has changed, against the state before its first change. It is
 * made from the data for undo, without git.
 */
export async function runDiff({session, threadId, root, touched}: RunDiff): Promise<string> {
  const {place} = checkpointPlace(session, root);
  const [first, ...later] = readCheckpoints(place).filter((one) => one.session === threadId && one.kind === 'turn');
  if (first === undefined)
    return touched.length === 0 ? 'No file was changed.' : `No diff was saved. Changed files:\n${touched.join('\n')}`;
  const changes = joined([first, ...later]);
  const diffs = await diffCheckpoint({place, checkpoint: {...first, changes}, files: []});
  // A file that git ignores is often secret (`.env`): a model gets only its name.
  const texts = diffs.map(
    ({path, kind, text}) => `${kind} ${path}\n${isIgnored(changes.get(bytePath(path))) ? NOT_SHOWN : text.trimEnd()}`,
  );
  return texts.join('\n\n') || 'No file was changed.';
}

/**
 * Returns the files that a session has changed, as {@link runDiff} finds them, with their texts before and
 * after; without texts for a file that git ignores. `turn`: only the changes of the newest turn that made any.
 */
export async function runTexts({session, threadId, root, part}: RunTexts): Promise<readonly FileTexts[]> {
  const {place} = checkpointPlace(session, root);
  const turns = readCheckpoints(place).filter((one) => one.session === threadId && one.kind === 'turn');
  const wanted = part === 'turn' ? turns.filter((one) => netChanges({changes: joined([one])}).length > 0).slice(-1) : turns;
  const [first] = wanted;
  if (first === undefined) return [];
  const changes = joined(wanted);
  const files: FileTexts[] = [];
  for await (const file of checkpointTexts({place, checkpoint: {...first, changes}, files: []})) {
    const {path, kind} = file;
    files.push(isIgnored(changes.get(bytePath(path))) ? {path, kind, note: NOT_SHOWN} : file);
  }
  return files;
}

export type {FileTexts};

export interface RunTexts extends Pick<RunDiff, 'session' | 'threadId' | 'root'> {
  readonly part: 'session' | 'turn';
}

const NOT_SHOWN = 'ignored by git: its content is not shown';

function isIgnored(change: Change | undefined): boolean {
  return [change?.before, change?.after].some((state) => state?.kind === 'file' && state.ignored === true);
}

/** Joins the changes of a path: from the state before the first to the state after the last. */
function joined(checkpoints: readonly Checkpoint[]): Map<BytePath, Change> {
  const changes = new Map<BytePath, Change>();
  for (const checkpoint of checkpoints) {
    for (const [path, change] of checkpoint.changes) {
      if (pathText(path).startsWith(TASKS)) continue;
      changes.set(path, {before: changes.has(path) ? (changes.get(path)?.before ?? null) : change.before, after: change.after});
    }
  }
  return changes;
}
