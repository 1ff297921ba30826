import {lstatSync} from 'node:fs';
import {join} from 'node:path';
import type {SandboxRules} from './sandbox.ts';
import {guardedPaths, type GuardedPaths} from './workspace-mounts.ts';

/** What stays as it is, for a command that is about to start. */
export interface GuardHold {
  readonly paths: GuardedPaths;
  /** Those of them that can be mounted: to be asked when the placeholders are there. */
  mountable(): Pick<GuardedPaths, 'locked' | 'pinned'>;
  letGo(): void;
}

interface Guard {
  holders: number;
  /** Of all commands that run now. */
  paths: Promise<GuardedPaths> | undefined;
  /** What stood there when the first of them began: each of them holds it in its place. */
  identities: ReadonlyMap<string, string> | undefined;
  /** What was locked before the first command of this process. */
  first: readonly string[] | undefined;
}

/** By root: several sandboxes of one process may work in one folder. */
const guards = new Map<string, Guard>();

/**
 * All commands that run at the same time in a workspace share one answer, found while none of them ran. A mount follows the links in its
 * path: a command that runs could put a folder there for the look, and a link that leads out for the mount (CVE-2026-39861, CVE-2026-25725).
 * What all of them have mounted none of them can move.
 */
export async function holdGuard(rules: Pick<SandboxRules, 'root' | 'obeyed' | 'reserved'>): Promise<GuardHold> {
  const {root} = rules;
  const guard = guards.get(root) ?? {holders: 0, paths: undefined, identities: undefined, first: undefined};
  guards.set(root, guard);
  guard.holders += 1;
  const letGo = (): void => {
    guard.holders -= 1;
    if (guard.holders > 0) return;
    guard.paths = undefined;
    guard.identities = undefined;
  };
  try {
    guard.paths ??= guardedPaths(rules, guard.first);
    const paths = await guard.paths;
    guard.first ??= paths.locked;
    return {
      paths,
      mountable() {
        const identities = (guard.identities ??= identitiesOf(root, [...paths.locked, ...paths.pinned]));
        const isSame = (path: string): boolean => identities.get(path) !== undefined && identities.get(path) === identityOf(root, path);
        return {locked: paths.locked.filter(isSame), pinned: paths.pinned.filter(isSame)};
      },
      letGo,
    };
  } catch (error) {
    letGo();
    throw error;
  }
}

function identitiesOf(root: string, paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    paths.flatMap((path) => {
      const identity = identityOf(root, path);
      return identity === undefined ? [] : [[path, identity]];
    }),
  );
}

/** Undefined: it is not there, or nothing that can be mounted. A number of a file is given again to the next one; the time of its birth is not. */
function identityOf(root: string, path: string): string | undefined {
  const found = lstatSync(join(root, path), {throwIfNoEntry: false, bigint: true});
  return found === undefined || found.isSymbolicLink() ? undefined : `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}
