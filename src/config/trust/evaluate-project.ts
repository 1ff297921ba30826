import type {ProjectContent, TrustItem} from './trust-item.ts';
import type {TrustRecord} from './trust-store.ts';

/**
 * `trusted`: a person said yes to exactly this content. `changed`: to another one. `unknown`: nobody was asked. `empty`: nothing needs trust.
 * `refused`: the folder is too wide (a home folder, the root of the disk), and nobody is asked.
 */
export type TrustState = 'trusted' | 'changed' | 'unknown' | 'empty' | 'refused';

export interface TrustChange {
  readonly item: TrustItem;
  /** new: nothing of this name was trusted. */
  readonly change: 'new' | 'changed';
  /** The text that was trusted, if it was stored. */
  readonly before: string | undefined;
}

/** A project, and whether a person trusts it. */
export interface ProjectTrust extends ProjectContent {
  readonly root: string;
  /** Device and inode of the root. */
  readonly folder: string;
  readonly state: TrustState;
  /** Differences from the trusted content; empty in every state but `changed`. */
  readonly changed: readonly TrustChange[];
  /** Trusted files that were not read this time: the instructions of other folders. */
  readonly further?: readonly TrustedFile[] | undefined;
  /** Those of `further` that no longer exist; set only when the whole project was read. */
  readonly gone?: readonly TrustedFile[] | undefined;
}

export interface TrustedFile {
  readonly path: string;
  readonly kind: string;
  readonly digest: string;
  /** The text that was trusted, if it was stored. */
  readonly text?: string | undefined;
}

/**
 * Compares the project with the trusted content. A single new or changed item withdraws the trust from the whole
 * project, since its parts use each other. Items that no longer exist change nothing.
 */
export function evaluateProject(found: ProjectContent & {root: string; folder: string}, record: TrustRecord | undefined): ProjectTrust {
  if (record === undefined)
    return {...found, state: found.items.length === 0 && found.problems.length === 0 ? 'empty' : 'unknown', changed: []};
  const isSameFolder = record.folder === found.folder;
  const changed = found.items.flatMap((item): TrustChange[] => {
    const known = record.items.find(({path, kind}) => path === item.path && kind === item.kind);
    if (known === undefined) return [{item, change: 'new', before: undefined}];
    return known.digest === item.digest && isSameFolder ? [] : [{item, change: 'changed', before: known.text}];
  });
  const further = record.items.filter(({path}) => !found.items.some((item) => item.path === path));
  return {...found, state: changed.length > 0 || !isSameFolder ? 'changed' : 'trusted', changed, further};
}

/** The same content after a person said yes to it; the bytes that were shown are the bytes that are used. */
export function asTrusted(project: ProjectTrust): ProjectTrust {
  return project.state === 'refused' ? project : {...project, state: 'trusted', changed: [], gone: []};
}
