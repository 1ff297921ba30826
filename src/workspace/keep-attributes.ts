import {spawn} from 'node:child_process';
import {statSync, type Stats} from 'node:fs';
import {open} from 'node:fs/promises';
import {NO_LINK} from '../exec/directory-handle.ts';
import {PLATFORM} from '../exec/process/platform.ts';

/** Attributes that a file has and its replacement would lose. */
export interface FileAttributes {
  readonly accessList: boolean;
}

/**
 * Returns whether a file has an access control list or extended attributes; undefined: none. Node cannot read them, so this starts GNU `cp`
 * once for each file; files that this process wrote itself are known (`noteWithout`). The copy goes to a pipe, which supports none of them: a
 * complaint means that the file has some. A shell makes the pipe: those of Node are sockets. undefined also if it cannot be determined: no
 * Linux, no GNU `cp`, a file that may not be read. Never throws.
 */
export async function findAttributes(path: string, stats: Stats): Promise<FileAttributes | undefined> {
  if (without.get(inodeOf(stats)) === stats.ctimeMs) return undefined;
  const done = await withFile(path, stats, (from) =>
    run('/bin/sh', ['-c', `/bin/cp ${copying('mode,xattr').join(' ')} | read -r _`], [from]),
  );
  return done === undefined || done.said === '' ? undefined : {accessList: namesAccessList(done)};
}

/** Remembers that a file has only the attributes that any new file in its folder gets. Adding one later changes its ctime. */
export function noteWithout(path: string): void {
  try {
    const stats = statSync(path);
    if (without.size >= MOST_REMEMBERED) without.clear();
    without.set(inodeOf(stats), stats.ctimeMs);
  } catch {
    // It is gone again: there is nothing to remember.
  }
}

export interface AttributeCopy {
  readonly found: FileAttributes;
  /** The descriptor of the new file. */
  readonly to: number;
  /** False: the new file has another owner, and an access control list is not made for that one. */
  readonly withAccessList: boolean;
}

/** Copies the attributes of the replaced file to a new one; returns the names of those that could not be set. Never throws. */
export async function copyAttributes(path: string, stats: Stats, {found, to, withAccessList}: AttributeCopy): Promise<readonly string[]> {
  const what = withAccessList ? 'mode,xattr' : 'xattr';
  const done = await withFile(path, stats, (from) => run('/bin/cp', copying(what), [from, to]));
  const lists = found.accessList && (!withAccessList || namesAccessList(done)) ? [ACCESS_LIST] : [];
  if (done?.code === 0) return lists;
  const names = [...(done?.said ?? '').matchAll(/setting attribute '([\w.-]+)'/g)].flatMap(([, name]) => name ?? []);
  const lost = new Set([...lists, ...names]);
  return lost.size > 0 ? [...lost] : ['extended attributes'];
}

function namesAccessList(done: Copied | undefined): boolean {
  return done?.said.includes('preserving permissions') === true;
}

const ACCESS_LIST = 'access control list';
const MOST_REMEMBERED = 10_000;

/** Files without attributes by device and inode, with their ctime. */
const without = new Map<string, number>();

function inodeOf({dev, ino}: Stats): string {
  return `${dev}:${ino}`;
}

/** Copies from one descriptor to another, so that no path is followed. */
function copying(what: 'mode,xattr' | 'xattr'): string[] {
  return ['--attributes-only', `--preserve=${what}`, '/proc/self/fd/3', '/proc/self/fd/1'];
}

interface Copied {
  readonly code: number | null;
  readonly said: string;
}

/** False if the `cp` of this system lacks the options used here. */
const able = {cp: PLATFORM === 'linux'};
const UNABLE = /not found|unrecognized option|invalid option|unexpected argument|built without/;

/** Milliseconds; a healthy disk needs one or two. */
const TIMEOUT_MS = 10_000;
const MAX_SAID = 4000;

/** undefined: unknown. */
async function withFile(path: string, stats: Stats, act: (from: number) => Promise<Copied>): Promise<Copied | undefined> {
  if (!able.cp) return undefined;
  try {
    await using from = await open(path, NO_LINK);
    if (inodeOf(await from.stat()) !== inodeOf(stats)) return undefined;
    const done = await act(from.fd);
    if (UNABLE.test(done.said)) able.cp = false;
    return able.cp && !/cannot (?:stat|open|create)/.test(done.said) ? done : undefined;
  } catch {
    return undefined;
  }
}

async function run(program: string, args: readonly string[], [from, to]: readonly [number, number?]): Promise<Copied> {
  return await new Promise((resolve, reject) => {
    const stdio = ['ignore', to ?? 'ignore', 'pipe', from] as const;
    const child = spawn(program, args, {env: {LC_ALL: 'C'}, cwd: '/', timeout: TIMEOUT_MS, stdio: [...stdio]});
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, MAX_SAID);
    });
    child.on('error', (error) => {
      able.cp = false;
      reject(error);
    });
    child.on('close', (code) => resolve({code, said}));
  });
}
