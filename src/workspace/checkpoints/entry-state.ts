import type {Stats} from 'node:fs';

/** The state of an entry at a path; null: nothing. */
export type EntryState = FileEntry | FolderEntry | LinkEntry | OtherEntry | null;

export interface FileEntry {
  readonly kind: 'file';
  readonly mode: number;
  readonly size: number;
  /** SHA-256 of the content; absent if the content is unknown; and `stamp` shows whether it changed. */
  readonly hash?: string | undefined;
  readonly stamp?: string | undefined;
  /** True if the file has further hard links. */
  readonly linked?: true | undefined;
  /** True if an ignore rule excludes the file: its content may be secret, and must not reach a model. */
  readonly ignored?: true | undefined;
  /** Absent: no setuid, no setgid. */
  readonly rights?: OwnerRights | undefined;
}

/** setuid and setgid. They come back only for the owner they were for. */
export interface OwnerRights {
  /** Bits of a mode: 0o4000, 0o2000 or both. */
  readonly bits: number;
  readonly uid: number;
  readonly gid: number;
}

interface FolderEntry {
  readonly kind: 'folder';
  readonly mode: number;
}

interface LinkEntry {
  readonly kind: 'link';
  /** One character a byte. */
  readonly target: string;
}

/** A pipe, socket or device: known to be there, never touched. */
interface OtherEntry {
  readonly kind: 'other';
}

export function sameEntry(a: EntryState, b: EntryState): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'file' && b.kind === 'file') return a.mode === b.mode && sameRights(a.rights, b.rights) && sameContent(a, b);
  if (a.kind === 'folder' && b.kind === 'folder') return a.mode === b.mode;
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === 'other' && b.kind === 'other';
}

function sameRights(a: OwnerRights | undefined, b: OwnerRights | undefined): boolean {
  return a?.bits === b?.bits && a?.uid === b?.uid && a?.gid === b?.gid;
}

export function sameContent(a: FileEntry, b: FileEntry): boolean {
  if (a.hash !== undefined && b.hash !== undefined) return a.hash === b.hash;
  return a.stamp !== undefined && a.stamp === b.stamp;
}

/** True for a file whose content was not saved: it cannot be restored. */
export function isUncovered(state: EntryState): boolean {
  return state?.kind === 'file' && state.hash === undefined;
}

/** Returns a stamp that changes whenever the content may have changed. ctime is set by the kernel alone: no program can turn it back. */
export function stampOf(stats: Stats): string {
  return `${stats.mtimeMs}:${stats.ctimeMs}:${stats.ino}:${stats.size}`;
}

/** Without setuid and setgid of files: see `rightsOf`. */
export function modeOf(stats: Stats): number {
  return stats.mode & (stats.isDirectory() ? 0o7777 : 0o1777);
}

export function rightsOf({mode, uid, gid}: Stats): OwnerRights | undefined {
  const bits = mode & 0o6000;
  return bits === 0 ? undefined : {bits, uid, gid};
}
