import {statSync} from 'node:fs';
import {join} from 'node:path';
import {INDEX, openBlobPacks, PACK, readPacks, type PackedBlob} from './blob-packs.ts';
import {removeIfThere} from '../recover.ts';
import {replaceFile, STORE_FS} from './store-fs.ts';
import {namesIn} from './store-place.ts';

/** Removes packs that are no longer needed, and rewrites those of which less than half is needed. Returns the remaining bytes. */
export function cleanPacks(folder: string, needed: ReadonlySet<string>): number {
  const packs = openBlobPacks(folder, STORE_FS);
  const all = [...readPacks(folder)];
  for (const pack of packNames(folder)) {
    const kept = all.filter(([hash, blob]) => blob.pack === pack && needed.has(hash));
    const used = kept.reduce((sum, [, {length}]) => sum + length, 0);
    if (used * 2 >= statSync(join(folder, `${pack}${PACK}`)).size && used > 0) continue;
    if (used > 0) rewrite(folder, kept, packs.read);
    for (const ending of [INDEX, PACK]) removeIfThere(join(folder, `${pack}${ending}`));
  }
  return packBytes(folder);
}

export function packBytes(folder: string): number {
  return packNames(folder).reduce((sum, pack) => sum + statSync(join(folder, `${pack}${PACK}`)).size, 0);
}

function packNames(folder: string): string[] {
  return namesIn(folder).flatMap((name) => (name.endsWith(PACK) ? [name.slice(0, -PACK.length)] : []));
}

/** The new pack is complete before the old one is removed. */
function rewrite(folder: string, kept: readonly (readonly [string, PackedBlob])[], read: (blob: PackedBlob) => Buffer): void {
  const [first] = kept;
  if (first === undefined) return;
  const pack = `${first[1].pack.slice(0, 8)}${process.hrtime.bigint().toString(16).slice(-8)}`;
  let end = 0;
  const lines = kept.map(([hash, {length}]) => {
    const line = `${hash} ${end} ${length}\n`;
    end += length;
    return line;
  });
  replaceFile(STORE_FS, join(folder, `${pack}${PACK}`), Buffer.concat(kept.map(([, blob]) => read(blob))));
  replaceFile(STORE_FS, join(folder, `${pack}${INDEX}`), Buffer.from(lines.join('')));
}
