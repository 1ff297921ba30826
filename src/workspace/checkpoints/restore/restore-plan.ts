import {isWithin, shallowFirst, isGitInternal, type BytePath} from '../byte-path.ts';
import type {Checkpoint} from '../checkpoint.ts';
import {isUncovered, sameEntry, type EntryState} from '../entry-state.ts';
import {netChanges} from '../read-checkpoints.ts';

export interface RestoreStep {
  readonly path: BytePath;
  readonly from: EntryState;
  readonly to: EntryState;
  /** The last time at which a change during a command was noticed, ISO 8601; undefined: a file tool changed it. */
  readonly seenAt?: string | undefined;
}

/** True if the file gets another content, not only another mode. */
export function needsContent({from, to}: RestoreStep): boolean {
  return to?.kind === 'file' && (from?.kind !== 'file' || from.hash === undefined || from.hash !== to.hash);
}

/** The reason why a path stays as it is. */
export interface Refusal {
  readonly path: BytePath;
  readonly reason: string;
  /** True: `--force` restores it all the same. */
  readonly isConflict: boolean;
}

export interface RestorePlan {
  readonly steps: readonly RestoreStep[];
  readonly refused: readonly Refusal[];
}

export interface PlanOptions {
  /** The checkpoint to go back to the beginning of, and every later one of its session. Oldest first. */
  readonly chain: readonly Checkpoint[];
  /** Restores only these paths and their content; none: all. */
  readonly only: readonly BytePath[];
  /** Reads the current state of a path. */
  readonly current: (path: BytePath) => Promise<EntryState>;
  readonly own: BytePath | undefined;
  readonly force: boolean;
  /** Checkpoints of other sessions that were written while those of the chain were. */
  readonly meanwhile?: readonly Checkpoint[] | undefined;
}

/** Plans how to bring every path back to its state before the first checkpoint of the chain. Changes nothing. */
export async function planRestore({chain, only, current, own, force, meanwhile = []}: PlanOptions): Promise<RestorePlan> {
  const steps: RestoreStep[] = [];
  const refused: Refusal[] = [];
  const named = namedBy(meanwhile);
  for (const [path, wanted] of [...wantedStates(chain)].sort(([a], [b]) => shallowFirst(a, b))) {
    if (only.length > 0 && !only.some((one) => isWithin(one, path) || (wanted.to?.kind === 'folder' && isWithin(path, one)))) continue;
    const from = await current(path);
    if (sameEntry(from, wanted.to)) continue;
    const reason = whyNever({path, from, to: wanted.to, own});
    if (reason !== undefined) refused.push({path, reason, isConflict: false});
    else if (!force && isForeign(from, wanted)) refused.push({path, reason: CONFLICT, isConflict: true});
    else if (!force && named.has(path)) refused.push({path, reason: `changed meanwhile by session ${named.get(path)}`, isConflict: true});
    else steps.push({path, from, to: wanted.to, seenAt: wanted.seenAt});
  }
  return {steps, refused};
}

interface Wanted {
  readonly to: EntryState;
  /** The state that the last checkpoint left; undefined if its writer was killed. */
  readonly left: EntryState | undefined;
  readonly seenAt: string | undefined;
}

function wantedStates(chain: readonly Checkpoint[]): Map<BytePath, Wanted> {
  const wanted = new Map<BytePath, Wanted>();
  for (const checkpoint of chain) {
    for (const [path, {before, after, seenAt}] of netChanges(checkpoint)) {
      const earlier = wanted.get(path);
      wanted.set(path, {to: earlier === undefined ? before : earlier.to, left: after, seenAt});
    }
  }
  return wanted;
}

/** The paths that file tools of other sessions changed, and did not change back, with the session. */
function namedBy(meanwhile: readonly Checkpoint[]): Map<BytePath, string> {
  const named = new Map<BytePath, string>();
  for (const [session, own] of Map.groupBy(meanwhile, (one) => one.session)) {
    const tools = new Set(own.flatMap(({kind, changes}) => (kind === 'turn' ? namedPaths(changes) : [])));
    for (const [path, {to, left}] of wantedStates(own)) {
      if (tools.has(path) && (left === undefined || !sameEntry(to, left))) named.set(path, session);
    }
  }
  return named;
}

function namedPaths(changes: Checkpoint['changes']): BytePath[] {
  return [...changes].flatMap(([path, {seenAt}]) => (seenAt === undefined ? [path] : []));
}

const CONFLICT = 'changed since by somebody else';

function isForeign(from: EntryState, {left}: Wanted): boolean {
  return left !== undefined && !sameEntry(from, left);
}

function whyNever({path, from, to, own}: RestoreStep & {own: BytePath | undefined}): string | undefined {
  if (path.split('/').some((name) => ['', '.', '..'].includes(name))) return 'leads out of the folder';
  if (isGitInternal(path)) return 'belongs to git';
  if (own !== undefined && isWithin(own, path)) return 'belongs to Fettle';
  if (from?.kind === 'other' || to?.kind === 'other') return 'a pipe, socket or device';
  return isUncovered(to) ? 'its content was not saved: too large, unreadable, or no space left' : undefined;
}
