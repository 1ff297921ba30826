import {randomBytes} from 'node:crypto';
import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {writeAll, type StoreFs} from './store-fs.ts';
import {namesIn} from './store-place.ts';
import {readStored} from './stored-file.ts';

/** The location of a packed content. */
export interface PackedBlob {
  /** The pack, without its ending. */
  readonly pack: string;
  readonly offset: number;
  readonly length: number;
}

/**
 * Stores many contents in one file, for the first scan of a tree: a file for each would cost a hundred times as
 * much. `<id>.pack` holds the contents, `<id>.idx` their offsets; a content exists only if its line in `.idx`
 * does.
 */
export interface BlobPacks {
  find(hash: string): PackedBlob | undefined;
  read(blob: PackedBlob): Buffer;
  /** Appends a content. It can be read by this process at once, and by others after `flush`. */
  append(hash: string, stored: Uint8Array): void;
  /** Resolves when everything appended is on disk. */
  flush(): Promise<void>;
}

export function openBlobPacks(folder: string, fs: StoreFs): BlobPacks {
  let known: Map<string, PackedBlob> | undefined;
  let writing: {readonly pack: string; readonly fd: number; end: number; lines: string[]} | undefined;
  const blobs = (): Map<string, PackedBlob> => (known ??= readPacks(folder));

  /** Abandons a pack after a failed write: its content is never indexed, and the next contents go into another pack. */
  const giveUp = (): void => {
    if (writing === undefined) return;
    closeSync(writing.fd);
    for (const line of writing.lines) blobs().delete(line.slice(0, HASH_CHARS));
    writing = undefined;
  };
  const start = (): NonNullable<typeof writing> => {
    const pack = randomBytes(8).toString('hex');
    return {pack, fd: fs.openSync(join(folder, `${pack}${PACK}`), 'wx', 0o600), end: 0, lines: []};
  };
  return {
    find: (hash) => blobs().get(hash),
    read({pack, offset, length}) {
      const fd = openSync(join(folder, `${pack}${PACK}`), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        if (offset + length > fstatSync(fd).size) throw new FettleError({code: 'IO', message: `The pack ${pack} was cut off.`});
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
      } finally {
        closeSync(fd);
      }
    },
    append(hash, stored) {
      writing ??= start();
      const {pack, fd, end: offset} = writing;
      try {
        writeAll(fs, fd, stored);
      } catch (error) {
        giveUp();
        throw error;
      }
      writing.end += stored.length;
      writing.lines.push(`${hash} ${offset} ${stored.length}\n`);
      blobs().set(hash, {pack, offset, length: stored.length});
    },
    async flush() {
      if (writing === undefined || writing.lines.length === 0) return;
      const {pack, fd, lines} = writing;
      try {
        await fs.fdatasync(fd);
        await appendSynced(fs, join(folder, `${pack}${INDEX}`), lines.join(''));
        writing.lines = [];
      } catch (error) {
        giveUp();
        throw error;
      }
    },
  };
}

export const PACK = '.pack';
export const INDEX = '.idx';

/** Reads the contents of the packs of a folder. A truncated line names nothing. */
export function readPacks(folder: string): Map<string, PackedBlob> {
  const found = new Map<string, PackedBlob>();
  for (const name of namesIn(folder).filter((file) => file.endsWith(INDEX))) {
    const pack = name.slice(0, -INDEX.length);
    for (const [, hash = '', offset, length] of linesOf(join(folder, name)).matchAll(LINE)) {
      found.set(hash, {pack, offset: Number(offset), length: Number(length)});
    }
  }
  return found;
}

/** Reads an index; if that fails, its contents count as missing. */
function linesOf(file: string): string {
  try {
    return readStored(file)?.toString('latin1') ?? '';
  } catch {
    return '';
  }
}

const HASH_CHARS = 64;
const LINE = /^([0-9a-f]{64}) (\d+) (\d+)\n/gm;

async function appendSynced(fs: StoreFs, path: string, text: string): Promise<void> {
  const fd = fs.openSync(path, 'a', 0o600);
  try {
    writeAll(fs, fd, Buffer.from(text));
    await fs.fdatasync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
