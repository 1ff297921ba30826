import {lstatSync} from 'node:fs';
import {join} from 'node:path';
import {toFettleError} from '../../../base/errors.ts';
import {type PostRunScan, createPostRunScan, type GuardRules} from './post-run-scan.ts';
import {removeNewGitLinks} from './git-links.ts';
import {makePlaceholders, missingPlaceholders, removePlaceholders, type Placeholder} from '../linux/placeholders.ts';
import {restoreLinks} from './restore-links.ts';
import {openSharedGuard, type SharedGuard} from './cross-process-guard.ts';
import {guardedPaths, type GuardedPaths} from '../linux/workspace-mounts.ts';

/** A lease on the protected parts of a workspace, for a command that is about to start. */
export interface WorkspaceLease {
  /** Paths that can be mounted now. */
  readonly paths: Pick<GuardedPaths, 'locked' | 'pinned'>;
  /** Placeholders created in the workspace for the mounts. */
  readonly made: readonly Placeholder[];
  /** A file to be mounted, too. */
  readonly mark: string;
  /** Call it when the command has ended; does not reject. Resolves to notices for the user, one line each. */
  release(): Promise<readonly string[]>;
}

/** The state found before the first of several concurrent commands of any process; it applies until none of them runs. */
interface Found {
  readonly paths: GuardedPaths;
  readonly made: readonly Placeholder[];
  /** Identity of the entry at each path at that time: each command mounts exactly this entry. */
  readonly identities: readonly (readonly [path: string, identity: string])[];
  /** Autoloaded files that no mount covers: path and stamp. */
  readonly autoloaded: readonly (readonly [path: string, stamp: string])[];
}

interface Guard {
  readonly shared: SharedGuard<Found>;
  readonly after: PostRunScan;
  holders: number;
  found: Found | undefined;
  /** Paths locked before the first command of this process. */
  first: readonly string[] | undefined;
  /** Reported at the end of the next command. */
  notes: readonly string[];
  /** One enters or leaves at a time. */
  queue: Promise<unknown>;
}

/** By root: several sandboxes of one process may work in one folder. */
const guards = new Map<string, Guard>();

/**
 * All commands that run at the same time in a workspace share one answer, found while none of them ran. A mount follows the links in its
 * path: a command that runs could put a folder there for the look, and a link that leads out for the mount (CVE-2026-39861, CVE-2026-25725).
 * What all of them have mounted none of them can move. Throws UNAVAILABLE.
 */
export async function leaseWorkspace(rules: GuardRules): Promise<WorkspaceLease> {
  const guard = guards.get(rules.root) ?? newGuard(rules);
  guards.set(rules.root, guard);
  const {root} = rules;
  const found = await inTurn(guard, async () => {
    if (guard.holders === 0) guard.found = await guard.shared.enter((left, note) => look(guard, rules, {left, note}));
    guard.holders += 1;
    return guard.found;
  });
  const identities = new Map(found?.identities);
  const isSame = (path: string): boolean => identities.has(path) && identities.get(path) === identityOf(root, path);
  const {locked = [], pinned = []} = found?.paths ?? {};
  return {
    paths: {locked: locked.filter(isSame), pinned: pinned.filter(isSame)},
    made: found?.made ?? [],
    mark: guard.shared.mark,
    release: async () =>
      await inTurn(guard, () => release(guard, root)).catch((error: unknown) => [
        `what the command left could not be looked at: ${toFettleError(error).message}`,
      ]),
  };
}

function newGuard(rules: GuardRules): Guard {
  return {
    shared: openSharedGuard(rules),
    after: createPostRunScan(rules),
    holders: 0,
    found: undefined,
    first: undefined,
    notes: [],
    queue: Promise.resolve(),
  };
}

async function inTurn<T>(guard: Guard, body: () => Promise<T>): Promise<T> {
  const next = guard.queue.then(body, body);
  guard.queue = next.catch(() => undefined);
  return await next;
}

interface ScanRequest {
  readonly left: Found | undefined;
  /** Before anything is made. */
  readonly note: (found: Found) => void;
}

/** While no command runs anywhere. */
async function look(guard: Guard, rules: GuardRules, {left, note}: ScanRequest): Promise<Found> {
  const {root} = rules;
  if (left !== undefined) {
    guard.notes = [...guard.notes, ...(await guard.after.compare(left))];
    removePlaceholders(root, left.made);
  }
  const tree = guard.after.tree();
  const paths = guardedPaths(rules, {tree, before: guard.first});
  guard.first ??= paths.locked;
  const made = missingPlaceholders(root, paths.placeholders);
  const autoloaded = await guard.after.baseline(tree, paths);
  const found: Found = {paths, made, autoloaded, identities: []};
  note(found);
  makePlaceholders(root, made);
  return {...found, identities: identitiesOf(root, [...paths.locked, ...paths.pinned])};
}

async function release(guard: Guard, root: string): Promise<readonly string[]> {
  const {found} = guard;
  guard.holders -= 1;
  if (found === undefined) return [];
  const {paths, made} = found;
  const finish = async (): Promise<string[]> => [
    ...restoreLinks(root, paths.links),
    ...(await removeNewGitLinks(root, paths.gitLinks, paths.followed)),
    ...(await guard.after.compare(found)),
  ];
  let reported: readonly string[] | undefined;
  if (guard.holders === 0) {
    guard.found = undefined;
    await guard.shared.leave(async () => {
      reported = await finish();
      removePlaceholders(root, made);
    });
  }
  reported ??= await finish();
  const {notes} = guard;
  guard.notes = [];
  return [...notes, ...reported];
}

function identitiesOf(root: string, paths: readonly string[]): (readonly [string, string])[] {
  return paths.flatMap((path) => {
    const identity = identityOf(root, path);
    return identity === undefined ? [] : [[path, identity] as const];
  });
}

/** Undefined: it does not exist, or cannot be mounted. An inode number is reused; its birth time is not. */
function identityOf(root: string, path: string): string | undefined {
  const found = lstatSync(join(root, path), {throwIfNoEntry: false, bigint: true});
  return found === undefined || found.isSymbolicLink() ? undefined : `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}
