import {closeSync, constants, fstatSync, openSync, readdirSync, readSync} from 'node:fs';
import {join} from 'node:path';
import type {FileChange, FileVersion} from './file-patch.ts';
import {isProduct} from './products.ts';

/**
 * Compares two folders without git, which takes several programs for it. Undefined where git has to judge: where a repository, its settings or a
 * link is inside, where the trees are not small, and for names and contents that a patch does not show as they are. Nobody may change the folders
 * meanwhile. What running programs leave is left out, see {@link isProduct}.
 */
export function smallTreeChanges(before: string, after: string): FileChange[] | undefined {
  try {
    const budget: Budget = {entries: MAX_ENTRIES, bytes: MAX_BYTES};
    const [old, now] = [filesOf(before, budget), filesOf(after, budget)];
    const paths = [...new Set([...old.keys(), ...now.keys()])].toSorted();
    return paths.flatMap((path): FileChange[] => {
      const change = {path, before: old.get(path), after: now.get(path)};
      return isSame(change.before, change.after) ? [] : [checked(change)];
    });
  } catch (error) {
    if (error instanceof NotSmall || (error instanceof Error && 'syscall' in error)) return undefined;
    throw error;
  }
}

/** Above them git is as quick. */
const MAX_ENTRIES = 500;
const MAX_BYTES = 4 * 1024 * 1024;

/** The rest of the bounds. */
interface Budget {
  entries: number;
  bytes: number;
}

class NotSmall extends Error {}

function filesOf(root: string, budget: Budget): Map<string, FileVersion> {
  const files = new Map<string, FileVersion>();
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(root, below), {withFileTypes: true})) {
      budget.entries -= 1;
      if (budget.entries < 0 || !PLAIN_NAME.test(entry.name) || OF_GIT.test(entry.name)) throw new NotSmall();
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) files.set(path, readVersion(join(root, path), budget));
      else if (!entry.isDirectory()) throw new NotSmall();
      else if (!isProduct(path)) walk(path);
    }
  };
  walk('');
  return files;
}

/** Those that git writes without quotes. */
const PLAIN_NAME = /^[\w.@+=,~-]+$/;
const OF_GIT = /^\.git(?:ignore|attributes|modules)?$/i;

function readVersion(file: string, budget: Budget): FileVersion {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    budget.bytes -= stats.size;
    if (!stats.isFile() || budget.bytes < 0) throw new NotSmall();
    const content = Buffer.allocUnsafe(stats.size);
    for (let filled = 0; filled < content.length;) {
      const read = readSync(fd, content, filled, content.length - filled, filled);
      if (read === 0) throw new NotSmall();
      filled += read;
    }
    return {content, isExecutable: (stats.mode & 0o100) !== 0};
  } finally {
    closeSync(fd);
  }
}

function isSame(one: FileVersion | undefined, other: FileVersion | undefined): boolean {
  return one !== undefined && other !== undefined && one.isExecutable === other.isExecutable && one.content.equals(other.content);
}

/** A binary file takes git: its patch is compressed. */
function checked(change: FileChange): FileChange {
  const isBinary = [change.before, change.after].some((version) => version?.content.subarray(0, LOOKED_AT).includes(0));
  if (isBinary) throw new NotSmall();
  return change;
}

/** As much as git looks at (xdiff-interface.c, buffer_is_binary). */
const LOOKED_AT = 8000;
