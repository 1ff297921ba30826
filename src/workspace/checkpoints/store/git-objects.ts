import {closeSync, fstatSync, openSync, readdirSync, readSync, statSync} from 'node:fs';
import {join} from 'node:path';

/** The names under which the objects of a repository are stored. */
export interface GitObjects {
  /** By the two digits of their folder: its stamp ('' while it may change unseen) and the rest of each name. */
  readonly loose: ReadonlyMap<string, {readonly stamp: string; readonly names: ReadonlySet<string>}>;
  /** Names of packs and their stamps. */
  readonly packs: ReadonlyMap<string, string>;
}

/** Lists the objects; folders of loose ones that have not changed since `last` are not read again. */
export function listObjects(objects: string, last?: GitObjects): GitObjects {
  const loose = new Map<string, {stamp: string; names: ReadonlySet<string>}>();
  for (const folder of namesIn(objects).filter((name) => FAN_OUT.test(name))) {
    const stamp = settledStamp(join(objects, folder));
    const known = last?.loose.get(folder);
    loose.set(folder, stamp !== '' && known?.stamp === stamp ? known : {stamp, names: new Set(namesIn(join(objects, folder)))});
  }
  const packs = namesIn(join(objects, 'pack')).filter((name) => PACK.test(name));
  return {loose, packs: new Map(packs.map((name) => [name, stampOf(join(objects, 'pack', name))]))};
}

/** Returns true if a stored object may be gone: a loose object or a pack has disappeared or changed. */
export function mayHaveLost(last: GitObjects, now: GitObjects): boolean {
  const packGone = [...last.packs].some(([name, stamp]) => now.packs.get(name) !== stamp);
  return (
    packGone ||
    [...last.loose].some(([folder, {stamp, names}]) => {
      const left = now.loose.get(folder);
      return (stamp === '' || left?.stamp !== stamp) && [...names].some((name) => left?.names.has(name) !== true);
    })
  );
}

/** Returns true if an object is stored, loose or in a pack that is there. */
export function hasObject(objects: string, {loose, packs}: GitObjects, id: string): boolean {
  if (loose.get(id.slice(0, 2))?.names.has(id.slice(2)) === true) return true;
  return [...packs.keys()].some(
    (name) => name.endsWith('.idx') && packs.has(name.replace(/idx$/, 'pack')) && isInIndex(join(objects, 'pack', name), id),
  );
}

const FAN_OUT = /^[0-9a-f]{2}$/;
const PACK = /^pack-[0-9a-f]+\.(?:pack|idx)$/;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** '' if another change could hide behind the same stamp: clocks of file systems tick in up to two seconds. */
function settledStamp(folder: string): string {
  const changed = statSync(folder, {throwIfNoEntry: false})?.mtimeMs ?? 0;
  return changed > Date.now() - 2000 ? '' : stampOf(folder);
}

/** Returns a stamp that changes with each name added or removed, or with the content of a file. */
function stampOf(path: string): string {
  const stats = statSync(path, {throwIfNoEntry: false});
  return stats === undefined ? '' : `${stats.mtimeMs}:${stats.ino}:${stats.size}`;
}

/** Looks a name up in an index of version 2 (gitformat-pack(5)): eight bytes, 256 counts, then the sorted names. */
function isInIndex(file: string, id: string): boolean {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return false;
  }
  try {
    const wanted = Buffer.from(id, 'hex');
    const first = wanted[0] ?? 0;
    const counts = read(fd, 8, 4 * 256);
    const count = (at: number): number => (at < 0 || counts.length < 4 * 256 ? 0 : counts.readUInt32BE(4 * at));
    const names = read(fd, 8 + 4 * 256 + count(first - 1) * wanted.length, (count(first) - count(first - 1)) * wanted.length);
    for (let at = 0; at < names.length; at += wanted.length) {
      if (names.subarray(at, at + wanted.length).equals(wanted)) return true;
    }
    return false;
  } finally {
    closeSync(fd);
  }
}

/** Returns fewer bytes if the file is damaged. */
function read(fd: number, start: number, length: number): Buffer {
  const size = Math.max(0, Math.min(length, fstatSync(fd).size - start));
  const bytes = Buffer.alloc(size);
  return bytes.subarray(0, readSync(fd, bytes, 0, size, start));
}
