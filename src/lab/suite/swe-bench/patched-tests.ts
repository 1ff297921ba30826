import {randomBytes} from 'node:crypto';
import {mkdir, realpath, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {runGit} from '../../../exec/process/run-git.ts';
import {isPlainPath, type ImportedFile} from '../imports/import-files.ts';
import {taskProblem} from '../task-text.ts';

/** Files as a patch leaves them. */
export interface PatchedTests {
  readonly files: readonly ImportedFile[];
  /** Paths that the patch removes. */
  readonly removed: readonly string[];
}

interface PatchSource {
  /** A git folder, bare or not. */
  readonly repository: string;
  readonly commit: string;
  readonly patch: string;
  /** For the index in which the patch is applied. */
  readonly scratch: string;
}

/**
 * Returns the files that a patch changes, as they are after it, without touching a working tree: whatever an agent has done to its tests, they
 * are replaced as a whole. Links and submodules are refused. @throws FettleError CONFIG if it does not apply, CANCELLED, UNAVAILABLE without git
 */
export async function patchedTests({repository, commit, patch, scratch}: PatchSource, signal: AbortSignal): Promise<PatchedTests> {
  await mkdir(scratch, {recursive: true, mode: 0o700});
  const index = join(await realpath(scratch), `index-${randomBytes(8).toString('hex')}`);
  const git = async (args: readonly string[], input?: string): Promise<Buffer> =>
    (await runGit({cwd: repository, args, env: {...GIT_VARIABLES, GIT_INDEX_FILE: index}, input, signal})).stdout;
  try {
    await git(['read-tree', commit]);
    await git(['apply', '--cached', '--whitespace=nowarn', '-'], patch.endsWith('\n') ? patch : `${patch}\n`);
    const changes = records(await git(['diff-index', '--cached', '--no-renames', '-z', commit]));
    const files: ImportedFile[] = [];
    const removed: string[] = [];
    for (const {mode, blob, path} of changes) {
      if (!isPlainPath(path)) throw taskProblem(`test_patch: ${JSON.stringify(path)} is not a path of a test`);
      if (mode === '000000') removed.push(path);
      else if (mode === '100644' || mode === '100755')
        files.push({path, bytes: await git(['cat-file', 'blob', blob]), isProgram: mode === '100755'});
      else throw taskProblem(`test_patch: ${path} is a link or a submodule`);
    }
    return {files, removed};
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'IO')
      throw taskProblem(`test_patch does not apply: ${error.message}`, error);
    throw error;
  } finally {
    await rm(index, {force: true});
    await rm(`${index}.lock`, {force: true});
  }
}

interface Change {
  readonly mode: string;
  readonly blob: string;
  readonly path: string;
}

/** `:OLD-MODE NEW-MODE OLD-BLOB NEW-BLOB STATUS` NUL `PATH` NUL (git-diff-index(1) › Raw output format) */
function records(raw: Buffer): Change[] {
  const parts = raw.toString('utf8').split('\0');
  const found: Change[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = '', , blob = ''] = (parts[at] ?? '').split(' ');
    found.push({mode, blob, path: parts[at + 1] ?? ''});
  }
  return found;
}

/** Nothing of the person's settings applies. A mirror may belong to another user: it is only read. */
export const GIT_VARIABLES = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
};
