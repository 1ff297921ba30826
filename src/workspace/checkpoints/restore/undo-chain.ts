import type {Checkpoint} from '../checkpoint.ts';

export interface UndoState {
  /** Checkpoints whose work is undone now. */
  readonly undone: ReadonlySet<string>;
  /** The checkpoint whose beginning `undo` restores; undefined: nothing to undo. */
  readonly undo: Checkpoint | undefined;
  /** The restore that `redo` takes back. */
  readonly redo: Checkpoint | undefined;
}

/**
 * Computes what undo and redo do in one session. Every checkpoint can be restored; a restore is one itself. Restoring the beginning of X gives
 * the state at that time: the undone work is that of X and all later ones, and restoring the state before an undo is the redo.
 */
export function undoState(session: readonly Checkpoint[]): UndoState {
  let state: Stacks = {live: [], redo: []};
  const earlier = new Map<string, Stacks>();
  /** The restores before this one that were cut off. */
  let cutOff: readonly Checkpoint[] = [];
  for (const checkpoint of session) {
    earlier.set(checkpoint.id, state);
    // The time of the first interrupted restore: nothing was changed before that.
    const began = cutOff.find(({target}) => target === checkpoint.target) ?? checkpoint;
    cutOff = checkpoint.isInterrupted ? [...cutOff, checkpoint] : [];
    // An interrupted restore is repeated: its checkpoints count as not undone.
    if (checkpoint.isInterrupted) continue;
    const target = checkpoint.kind === 'restore' ? earlier.get(checkpoint.target) : undefined;
    if (checkpoint.kind === 'turn') state = {live: [...state.live, checkpoint], redo: []};
    else if (target !== undefined) {
      const isRedo = state.redo.some(({id}) => id === checkpoint.target);
      state = {live: target.live, redo: isRedo ? target.redo : [...state.redo, began]};
    }
  }
  const live = new Set(state.live.map(({id}) => id));
  const undone = new Set(session.filter(({id, kind}) => kind === 'turn' && !live.has(id)).map(({id}) => id));
  return {undone, undo: state.live.at(-1), redo: state.redo.at(-1)};
}

interface Stacks {
  readonly live: readonly Checkpoint[];
  readonly redo: readonly Checkpoint[];
}
