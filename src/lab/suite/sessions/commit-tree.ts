import {chmod, mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {isFettleError} from '../../../base/errors.ts';
import {runGit} from '../../../exec/process/run-git.ts';
import {isPlainPath} from '../imports/import-files.ts';
import {GIT_VARIABLES} from '../swe-bench/patched-tests.ts';

/**
 * Returns the commit that a working tree had checked out at a time, from the log of its HEAD, or else the newest one of its history from before;
 * undefined without either. @param time - milliseconds since 1970
 */
export async function commitAt(folder: string, time: number, signal: AbortSignal): Promise<string | undefined> {
  const seconds = Math.floor(time / 1000);
  const log = await answer(folder, ['-c', 'log.showSignature=false', 'log', '-g', '--format=%H %gd', '--date=unix', 'HEAD', '--'], signal);
  const moved = (log ?? '').split('\n').flatMap((line) => {
    const [, commit = '', at = ''] = /^([0-9a-f]+) \S*@\{(\d+)\}$/.exec(line) ?? [];
    return commit === '' ? [] : [{commit, at: Number(at)}];
  });
  const known = moved.find(({at}) => at <= seconds)?.commit;
  if (known !== undefined) return known;
  const newest = (
    await answer(folder, ['-c', 'log.showSignature=false', 'log', '-1', '--format=%H', `--until=${seconds}`, 'HEAD', '--'], signal)
  )?.trim();
  return newest === '' ? undefined : newest;
}

async function answer(cwd: string, args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await runGit({cwd, args, env: GIT_VARIABLES, signal})).stdout.toString('utf8');
  } catch (error) {
    if (isFettleError(error) && error.code === 'IO') return undefined; // no repository, or no commit
    throw error;
  }
}

/**
 * Writes the files of a commit below `to`, without a working tree, hooks or filters, and without what came before or after it. Submodules are left
 * out, and so are paths that could lead out. Returns how many files there are.
 */
export async function writeCommit(
  {folder, commit, to}: {folder: string; commit: string; to: string},
  signal: AbortSignal,
): Promise<number> {
  const git = async (args: readonly string[], input?: string): Promise<Buffer> =>
    (await runGit({cwd: folder, args, env: GIT_VARIABLES, input, signal})).stdout;
  const top = (await git(['rev-parse', '--show-prefix'])).toString('utf8').trim();
  const listed = (await git(['ls-tree', '-r', '-z', '--full-tree', `${commit}:${top}`])).toString('utf8').split('\0');
  const entries = listed.flatMap((line) => {
    const [, mode = '', blob = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
    return blob !== '' && isPlainPath(path) ? [{mode, blob, path}] : [];
  });
  const contents = blobs(await git(['cat-file', '--batch'], entries.map(({blob}) => `${blob}\n`).join('')));
  for (const {mode, blob, path} of entries) {
    const bytes = contents.get(blob) ?? Buffer.alloc(0);
    const target = join(to, path);
    await mkdir(dirname(target), {recursive: true});
    if (mode === '120000') await symlink(bytes, target);
    else await writeFile(target, bytes, {flag: 'wx'});
    if (mode === '100755') await chmod(target, 0o755);
  }
  return entries.length;
}

/** `SHA TYPE SIZE` and the content, each followed by a line break (git-cat-file(1) › BATCH OUTPUT). */
function blobs(output: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [id = '', , size = '0'] = output.toString('latin1', at, end).split(' ');
    const bytes = Number(size);
    found.set(id, output.subarray(end + 1, end + 1 + bytes));
    at = end + 1 + bytes + 1;
  }
  return found;
}
