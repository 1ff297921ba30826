import {createHash, randomBytes} from 'node:crypto';
import {lstatSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import {FettleError} from '../../../base/errors.ts';
import {openBlobPacks} from './blob-packs.ts';
import {writeAll, type StoreFs} from './store-fs.ts';
import {readStored} from './stored-file.ts';

/** Contents of files by their SHA-256. */
export interface BlobStore {
  /**
   * Stores a content. With `durable`, it is on disk when this resolves, so that even after a power loss no changed
   * file lacks its saved content; otherwise it is on disk after `flush`. Throws LIMIT if no space is left; errors
   * of the system are thrown unchanged.
   */
  put(bytes: Uint8Array, durable: boolean): Promise<string>;
  /** Returns a content of `size` bytes. Throws IO if it is missing or damaged: wrong content is never returned. */
  get(hash: string, size: number): Buffer;
  flush(): Promise<void>;
  /** Bytes on disk added since the store was opened. */
  added(): number;
}

export interface BlobStoreOptions {
  readonly folder: string;
  readonly fs: StoreFs;
  /** Bytes that may still be added. */
  readonly room: number;
}

export function openBlobStore({folder, fs, room}: BlobStoreOptions): BlobStore {
  let added = 0;
  const write = blobWriter(fs);
  const packs = openBlobPacks(folder, fs);

  /** Searches both places: a content in a damaged pack may also have a file of its own. */
  const stored = (hash: string, size: number): Buffer[] => {
    const packed = packs.find(hash);
    const inPack = packed === undefined ? undefined : quietly(() => packs.read(packed));
    const inFile = quietly(() => readStored(blobFile(folder, hash), size + 1));
    return [inPack, inFile].filter((bytes) => bytes !== undefined);
  };

  const read = (hash: string, size: number): Buffer | undefined => {
    for (const bytes of stored(hash, size)) {
      const content = unpacked(bytes, size);
      if (content !== undefined && hashOf(content) === hash) return content;
    }
    return undefined;
  };

  /** A damaged content is stored again if that is cheap, for the file that is about to be changed. */
  const isKept = (hash: string, size: number, durable: boolean): boolean => {
    const path = blobFile(folder, hash);
    const isThere = packs.find(hash) !== undefined || lstatSync(path, {throwIfNoEntry: false})?.isFile() === true;
    if (!isThere || (durable && read(hash, size) === undefined)) return false;
    const now = new Date();
    // Shows a concurrent clean-up that the content is needed.
    if (packs.find(hash) === undefined) quietly(() => fs.utimesSync(path, now, now));
    return true;
  };

  return {
    async put(bytes, durable) {
      const hash = hashOf(bytes);
      if (isKept(hash, bytes.length, durable)) return hash;
      const packed = pack(bytes);
      // The first scan of a large tree leaves room for changes of file tools.
      if (added + packed.length > (durable ? room : room * 0.8)) throw noRoom();
      if (durable) await write(blobFile(folder, hash), packed);
      else packs.append(hash, packed);
      added += packed.length;
      return hash;
    },
    get(hash, size) {
      const content = read(hash, size);
      if (content === undefined) throw damaged(hash);
      return content;
    },
    flush: () => packs.flush(),
    added: () => added,
  };
}

/** Writes contents, each to a file of its own. */
function blobWriter(fs: StoreFs): (path: string, bytes: Uint8Array) => Promise<void> {
  const made = new Set<string>();
  return async (path, bytes) => {
    const parent = dirname(path);
    if (!made.has(parent)) fs.mkdirSync(parent, {recursive: true, mode: 0o700});
    made.add(parent);
    const temporary = `${path}.${randomBytes(4).toString('hex')}.new`;
    const fd = fs.openSync(temporary, 'wx', 0o600);
    try {
      writeAll(fs, fd, bytes);
      await fs.fdatasync(fd);
    } catch (error) {
      quietly(() => fs.unlinkSync(temporary));
      throw error;
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temporary, path);
    await syncFolder(fs, parent);
  };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function blobFile(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), hash.slice(2));
}

/** Smaller contents do not fill a block of the file system anyway. */
const WORTH_PACKING = 2048;
const RAW = Buffer.from([0]);
const ZSTD = Buffer.from([1]);

function pack(bytes: Uint8Array): Buffer {
  if (bytes.length < WORTH_PACKING) return Buffer.concat([RAW, bytes]);
  const packed = zstdCompressSync(bytes);
  return packed.length < bytes.length ? Buffer.concat([ZSTD, packed]) : Buffer.concat([RAW, bytes]);
}

/** Returns undefined if the bytes are not what was written. */
function unpacked(stored: Buffer, size: number): Buffer | undefined {
  try {
    // A damaged content could unpack to any size.
    return stored[0] === ZSTD[0] ? zstdDecompressSync(stored.subarray(1), {maxOutputLength: Math.max(size, 1)}) : stored.subarray(1);
  } catch {
    return undefined;
  }
}

async function syncFolder(fs: StoreFs, folder: string): Promise<void> {
  const fd = fs.openSync(folder, 'r');
  try {
    await fs.fdatasync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function quietly<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch {
    return undefined; // of no consequence: the caller has what it needs, or reports its own failure
  }
}

function noRoom(): FettleError {
  return new FettleError({
    code: 'LIMIT',
    message: 'The checkpoints of this folder have used up their space (checkpoints.max_mb).',
    hint: 'Raise checkpoints.max_mb, or lower checkpoints.max_days.',
  });
}

function damaged(hash: string): FettleError {
  return new FettleError({
    code: 'IO',
    message: `A saved content (${hash.slice(0, 12)}) is missing or damaged.`,
    hint: 'It was removed from the disk, or the disk lost it. The other files can still be restored.',
  });
}
