import type {DiffHunk} from '../../../text/diff/hunks.ts';
import type {ApprovalQuestion, ApprovalReply, FileDiff} from '../host-adapter.ts';
import type {ApprovalDialog} from '../model/screen-state.ts';

/** A change that is chosen on its own. */
export interface HunkChoice {
  /** `<diff>:<hunk>`. */
  readonly id: string;
  readonly diff: FileDiff;
  readonly hunk: DiffHunk;
}

/** The changes in their order; none if the call is allowed as a whole or not at all. */
export function hunkChoices({diffs}: ApprovalQuestion): readonly HunkChoice[] {
  return diffs.flatMap((diff, file) => (diff.hunks ?? []).map((hunk, index) => ({id: `${file}:${index}`, diff, hunk})));
}

export type HunkStep =
  | {readonly type: 'stay'; readonly dialog: ApprovalDialog}
  | {readonly type: 'reply'; readonly reply: Extract<ApprovalReply, {decision: 'hunks' | 'deny'}>};

/**
 * Keys while changes are chosen one by one: y takes one and n leaves it, both go on to the next; Space turns it over, arrows move, PgUp and
 * PgDn scroll, Enter applies what is taken, Esc goes back to the other answers.
 */
export function hunkKey(dialog: ApprovalDialog, name: string, half: number): HunkStep {
  const {question, hunks = NO_HUNKS, scroll} = dialog;
  const key = name === 'left' ? 'up' : name === 'right' ? 'down' : name.toLowerCase();
  if (key === 'enter') {
    const isNone = hunks.chosen.length === 0;
    return {type: 'reply', reply: isNone ? {decision: 'deny'} : {decision: 'hunks', hunks: hunks.chosen}};
  }
  const stay = (change: Partial<ApprovalDialog>): HunkStep => ({type: 'stay', dialog: {...dialog, ...change}});
  if (key === 'escape') return stay({hunks: undefined, scroll: 0});
  if (key === 'pageup') return stay({scroll: Math.max(0, scroll - half)});
  if (key === 'pagedown') return stay({scroll: scroll + half});
  const ids = hunkChoices(question).map(({id}) => id);
  const chosen = chosenBy(key, {ids, ...hunks});
  const step = STEPS.get(key) ?? 0;
  if (step === 0) return stay({hunks: {...hunks, chosen}});
  return stay({hunks: {at: Math.max(0, Math.min(ids.length - 1, hunks.at + step)), chosen}, scroll: 0});
}

/** No change is accepted unseen. */
export const NO_HUNKS = {at: 0, chosen: []} as const;

const STEPS: ReadonlyMap<string, number> = new Map([
  ['up', -1],
  ['down', 1],
  ['y', 1],
  ['n', 1],
]);

interface Choosing {
  readonly ids: readonly string[];
  readonly at: number;
  readonly chosen: readonly string[];
}

/** In the order of the changes. */
function chosenBy(key: string, {ids, at, chosen}: Choosing): readonly string[] {
  const here = ids[at] ?? '';
  const wasTaken = chosen.includes(here);
  const isTaken = key === 'y' || (key === 'space' ? !wasTaken : key !== 'n' && wasTaken);
  return ids.filter((id) => (id === here ? isTaken : chosen.includes(id)));
}
