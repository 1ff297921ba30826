import nodeFs from 'node:fs';
import {promisify} from 'node:util';

/** The calls of `node:fs` with which the store writes; tests let each of them fail. */
export type StoreFs = Pick<
  typeof nodeFs,
  'mkdirSync' | 'openSync' | 'writeSync' | 'closeSync' | 'renameSync' | 'unlinkSync' | 'linkSync' | 'utimesSync' | 'fdatasyncSync'
> & {fdatasync(fd: number): Promise<void>};

export const STORE_FS: StoreFs = {
  mkdirSync: nodeFs.mkdirSync,
  openSync: nodeFs.openSync,
  writeSync: nodeFs.writeSync,
  closeSync: nodeFs.closeSync,
  renameSync: nodeFs.renameSync,
  unlinkSync: nodeFs.unlinkSync,
  linkSync: nodeFs.linkSync,
  utimesSync: nodeFs.utimesSync,
  fdatasyncSync: nodeFs.fdatasyncSync,
  fdatasync: (fd) => promisify(nodeFs.fdatasync)(fd),
};

/** Writes all bytes. A full disk throws ENOSPC. */
export function writeAll(fs: StoreFs, fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at);
}

/** Replaces a file atomically. Private: only the owner may read it. */
export function replaceFile(fs: StoreFs, path: string, bytes: Uint8Array): void {
  const temporary = `${path}.${process.pid}.new`;
  const fd = fs.openSync(temporary, REPLACE, 0o600);
  try {
    writeAll(fs, fd, bytes);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(temporary, path);
}

const {O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW} = nodeFs.constants;
const REPLACE = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
