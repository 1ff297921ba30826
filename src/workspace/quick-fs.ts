import fs from 'node:fs';
import {promisify} from 'node:util';
import type {AtomicFile} from './write-file.ts';
import type {FileStepsFs} from './write-files.ts';

/**
 * The file system for writes of one file. A look or a rename takes less time than handing it to another thread and back, so it is done at
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
const [writeByThread, syncByThread] = [promisify(fs.write), promisify(fs.fsync)];

function atomicFile(fd: number): AtomicFile {
  return {
    fd,
    async write(bytes, offset) {
      const length = bytes.length - offset;
      if (length > WRITTEN_AT_ONCE) return await writeByThread(fd, bytes, offset, length, null);
      return {bytesWritten: fs.writeSync(fd, bytes, offset, length)};
    },
    chown: async (uid, gid) => fs.fchownSync(fd, uid, gid),
    chmod: async (mode) => fs.fchmodSync(fd, mode),
    sync: () => syncByThread(fd),
    stat: async () => fs.fstatSync(fd),
    close: async () => fs.closeSync(fd),
  };
}
