import {copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {lstat, realpath} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {FettleError, isFettleError, systemErrorCode} from '../../base/errors.ts';
import {isRunning, processStart} from '../../sessions/process-start.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {gitFor, type Git} from './child-git.ts';
import {factsFile, readFacts, worktreeNames, worktreesFolder, type WorktreeFacts} from './worktree-place.ts';

/** A copy of the repository for one subagent. */
export interface Worktree {
  /** The subagent's workspace: the folder of the copy that corresponds to the workspace. Absolute. */
  readonly folder: string;
  /** Maps a path in the copy to the one in the original repository; returns other paths unchanged. */
  original(path: string): string;
  /** Stores the changes, and removes the copy. */
  close(): Promise<void>;
}

type Session = Pick<SessionSettings, 'paths' | 'env' | 'home' | 'trust'>;

/**
 * Opens a worktree outside the repository (git-worktree(1)), with the commit that is checked out plus
 * uncommitted changes, including untracked files (up to {@link MAX_UNTRACKED_BYTES} each). Index, stash and
 * branches of the person are not touched. Its final content is stored as a tree of the repository, so that the
 * folder can be removed: a subagent that continues gets it back. Throws UNAVAILABLE without a repository with a
 * commit.
 */
export async function openWorktree(session: Session, {folder, childThreadId}: {folder: string; childThreadId: string}): Promise<Worktree> {
  const {stateDir} = session.paths;
  mkdirSync(worktreesFolder(stateDir), {recursive: true, mode: 0o700});
  const known = readFacts(stateDir, childThreadId);
  const facts = known === undefined ? await newFacts(session, folder, childThreadId) : {...known, opening: undefined, owner: ownerNow()};
  const path = join(worktreesFolder(stateDir), childThreadId);
  const {prefix, commit, top, base, result} = facts;
  writeFacts(stateDir, childThreadId, {...facts, opening: true});
  const git = await gitFor(session, {top, cwd: top});
  try {
    await takeAway(git, path);
    await git.run(['worktree', 'add', '--detach', '--no-checkout', path, commit]);
    await (await gitIn(session, top, path)).run(['read-tree', '--reset', '-u', result ?? base]);
    writeFacts(stateDir, childThreadId, facts);
  } catch (error) {
    await takeAway(git, path);
    if (known === undefined) rmSync(factsFile(stateDir, childThreadId), {force: true});
    else writeFacts(stateDir, childThreadId, facts);
    throw error;
  }
  const real = await realpath(path);
  return {
    folder: join(real, prefix),
    original: (one) => (one === real || one.startsWith(`${real}/`) ? join(top, one.slice(real.length)) : one),
    close: async () => await putDown(session, childThreadId),
  };
}

/** Git in a copy. The copy's own record of where its repository is does not count: the subagent may have changed it. */
async function gitIn(session: Session, top: string, path: string): Promise<Git> {
  const git = await gitFor(session, {top, cwd: path});
  const common = await (await gitFor(session, {top, cwd: top})).line(['rev-parse', '--path-format=absolute', '--git-common-dir']);
  return git.with({GIT_DIR: join(common, 'worktrees', basename(path)), GIT_WORK_TREE: path});
}

/** A larger file that git does not know is not copied. */
const MAX_UNTRACKED_BYTES = 5 * 1024 * 1024;

async function newFacts(session: Session, folder: string, childThreadId: string): Promise<WorktreeFacts> {
  const git = await gitFor(session, {top: folder, cwd: folder});
  const top = await git.line(['rev-parse', '--show-toplevel']).catch((error: unknown) => Promise.reject(noRepository(folder, error)));
  const commit = await git
    .line(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
    .catch((error: unknown) => Promise.reject(noRepository(folder, error)));
  const prefix = await git.line(['rev-parse', '--show-prefix']);
  const branch = await git.line(['symbolic-ref', '--quiet', 'HEAD'], [1]);
  const index = join(worktreesFolder(session.paths.stateDir), `${childThreadId}.index`);
  const base = await treeOf(await gitFor(session, {top, cwd: top}), index);
  return {version: 1, top, prefix, branch: branch === '' ? commit : branch, commit, base, files: [], owner: ownerNow()};
}

/** Writes a tree of everything in a work tree, through a separate index: the person's index stays as it is. */
async function treeOf(git: Git, index: string): Promise<string> {
  const aside = git.with({GIT_INDEX_FILE: index});
  try {
    // A copy of the index knows the unchanged files, so that not every file has to be read.
    const theirs = await git.line(['rev-parse', '--path-format=absolute', '--git-path', 'index']);
    copyFileSync(theirs, index);
    // A change in the same moment as the write of the index is only recognized by this time (git › racy-git).
    const seconds = Math.floor(statSync(theirs).mtimeMs / 1000);
    utimesSync(index, seconds, seconds);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' && !isFettleError(error)) throw error;
    await aside.run(['read-tree', 'HEAD']);
  }
  try {
    await aside.run(['add', '--update', '--', ':/']);
    const unknown = (await git.text(['ls-files', '--others', '--exclude-standard', '-z']))
      .split('\0')
      .filter((path) => isSmallFile(join(git.cwd, path)));
    await aside.run(['update-index', '--add', '-z', '--stdin'], {input: unknown.map((path) => `${path}\0`).join('')});
    return await aside.line(['write-tree']);
  } finally {
    rmSync(index, {force: true});
    rmSync(`${index}.lock`, {force: true});
  }
}

function isSmallFile(path: string): boolean {
  // A repository in the repository; and a name that is not text.
  if (path.endsWith('/') || path.includes('\uFFFD')) return false;
  const stats = statSync(path, {throwIfNoEntry: false});
  return stats?.isFile() === true && stats.size <= MAX_UNTRACKED_BYTES;
}

/** Stores the changes as a tree, and removes the folder. Without changes, nothing remains. */
async function putDown(session: Session, childThreadId: string): Promise<void> {
  const {stateDir} = session.paths;
  const facts = readFacts(stateDir, childThreadId);
  const path = join(worktreesFolder(stateDir), childThreadId);
  if (facts === undefined) {
    rmSync(path, {recursive: true, force: true});
    return;
  }
  const git = await gitFor(session, {top: facts.top, cwd: facts.top});
  if ((await lstat(path).catch(() => undefined)) !== undefined) {
    const inside = await gitIn(session, facts.top, path);
    const result = await treeOf(inside, `${path}.index`);
    const files = await changedFiles(git, facts.base, result);
    if (files.length > 0) writeFacts(stateDir, childThreadId, {...facts, result, files});
    else rmSync(factsFile(stateDir, childThreadId), {force: true});
    await takeAway(git, path);
  }
}

async function changedFiles(git: Git, base: string, result: string): Promise<WorktreeFacts['files']> {
  const words = (await git.text(['diff-tree', '-r', '-z', '--name-status', '--no-renames', base, result])).split('\0');
  const files: WorktreeFacts['files'] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    files.push({path: words[at + 1] ?? '', kind: KINDS[words[at] ?? ''] ?? 'update'});
  }
  return files;
}

const KINDS: Readonly<Record<string, 'add' | 'delete' | 'update'>> = {A: 'add', D: 'delete'};

async function takeAway(git: Git, path: string): Promise<void> {
  await git.run(['worktree', 'remove', '--force', '--force', path]).catch(() => undefined);
  rmSync(path, {recursive: true, force: true});
  await git.run(['worktree', 'prune']).catch(() => undefined);
}

/**
 * Stores the copies of processes that died, and forgets those that were not merged for a long time. Copies that
 * cannot be stored remain for the next time. Must not throw: this is only a clean-up.
 */
export async function sweepWorktrees(session: Session): Promise<void> {
  for (const name of worktreeNames(session.paths.stateDir)) {
    try {
      await sweepOne(session, name);
    } catch {
      // the next process that starts tries again
    }
  }
  try {
    sweepLeftovers(session.paths.stateDir);
  } catch {
    // another process is doing the same
  }
}

async function sweepOne(session: Session, name: string): Promise<void> {
  const {stateDir} = session.paths;
  const facts = readFacts(stateDir, name);
  if (isOwned(facts)) return;
  const path = join(worktreesFolder(stateDir), name);
  if (facts === undefined || !(await isThere(facts.top))) rmSync(path, {recursive: true, force: true});
  else if (facts.opening === true) await takeAway(await gitFor(session, {top: facts.top, cwd: facts.top}), path);
  else if (await isThere(path)) await putDown(session, name);
  if (isWorthless(stateDir, name)) rmSync(factsFile(stateDir, name), {force: true});
}

/** True for facts without work: the subagent never began, or its work was not merged for a long time. */
function isWorthless(stateDir: string, name: string): boolean {
  const file = statSync(factsFile(stateDir, name), {throwIfNoEntry: false});
  return file !== undefined && (readFacts(stateDir, name)?.result === undefined || Date.now() - file.mtimeMs > MAX_AGE_MS);
}

function isOwned(facts: WorktreeFacts | undefined): boolean {
  return facts !== undefined && isRunning({pid: facts.owner.pid, started: facts.owner.started});
}

/** Removes files that a process was writing when it died. The owner of a temporary index is unknown, so only old ones are removed. */
function sweepLeftovers(stateDir: string): void {
  for (const name of readdirSync(worktreesFolder(stateDir))) {
    const path = join(worktreesFolder(stateDir), name);
    const [, pid] = /^merge-(\d+)-/.exec(name) ?? [];
    const isPart = /\.(?:index|index\.lock|json\.new)$/.test(name);
    const isLeft =
      pid === undefined ? isPart && Date.now() - statSync(path).mtimeMs > MAX_PART_MS : !isRunning({pid: Number(pid), started: undefined});
    if (isLeft) rmSync(path, {recursive: true, force: true});
  }
}

/** Far longer than git needs to write one. */
const MAX_PART_MS = 60 * 60 * 1000;

/** As long as git keeps unreachable objects (gc.pruneExpire). */
const MAX_AGE_MS = 14 * 24 * 60 * 60 * 1000;

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

function writeFacts(stateDir: string, childThreadId: string, facts: WorktreeFacts): void {
  const file = factsFile(stateDir, childThreadId);
  writeFileSync(`${file}.new`, JSON.stringify(facts), {mode: 0o600});
  renameSync(`${file}.new`, file);
}

function ownerNow(): WorktreeFacts['owner'] {
  const started = processStart(process.pid);
  return {pid: process.pid, ...(started === undefined ? {} : {started})};
}

function noRepository(folder: string, cause: unknown): FettleError {
  if (isFettleError(cause) && cause.code === 'UNAVAILABLE') return cause;
  return new FettleError({
    code: 'UNAVAILABLE',
    message: `${folder} is not in a git repository with a commit, so it cannot be copied.`,
    hint: 'Make a first commit, or use a profile without isolation.',
    cause,
  });
}
