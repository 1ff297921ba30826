import fs, {type Stats} from 'node:fs';
import {promisify} from 'node:util';

/** The calls of the file system that an atomic write makes; tests let each of them fail. */
export interface AtomicFs {
  lstat(path: string): Promise<Stats>;
  access(path: string, mode: number): Promise<void>;
  mkdir(path: string): Promise<unknown>;
  open(path: string, flags: string, mode: number): Promise<AtomicFile>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

export interface AtomicFile {
  readonly fd: number;
  write(bytes: Uint8Array, offset: number): Promise<{bytesWritten: number}>;
  chown(uid: number, gid: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  sync(): Promise<void>;
  stat(): Promise<Stats>;
  close(): Promise<void>;
}

/** The calls of the file system that writing several files makes; tests let each of them fail. */
export interface FileStepsFs extends AtomicFs {
  rmdir(path: string): Promise<void>;
}

/**
 * The file system itself. A look or a rename takes less time than handing it to another thread and back, so it is done at
 * once; what waits for the disk, and what is large, goes to a thread.
 */
export const QUICK_FS: FileStepsFs = {
  lstat: async (path) => fs.lstatSync(path),
  access: async (path, mode) => fs.accessSync(path, mode),
  mkdir: async (path) => fs.mkdirSync(path),
  open: async (path, flags, mode) => atomicFile(fs.openSync(path, flags, mode)),
  rename: async (from, to) => fs.renameSync(from, to),
  link: async (from, to) => fs.linkSync(from, to),
  unlink: async (path) => fs.unlinkSync(path),
  rmdir: async (path) => fs.rmdirSync(path),
};

const WRITTEN_AT_ONCE = 128 * 1024;

function atomicFile(fd: number): AtomicFile {
  return {
    fd,
    async write(bytes, offset) {
      const length = bytes.length - offset;
      if (length > WRITTEN_AT_ONCE) return await promisify(fs.write)(fd, bytes, offset, length, null);
      return {bytesWritten: fs.writeSync(fd, bytes, offset, length)};
    },
    chown: async (uid, gid) => fs.fchownSync(fd, uid, gid),
    chmod: async (mode) => fs.fchmodSync(fd, mode),
    sync: () => promisify(fs.fsync)(fd),
    stat: async () => fs.fstatSync(fd),
    close: async () => fs.closeSync(fd),
  };
}
