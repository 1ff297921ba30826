import {lstat, mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {runGit} from '../../../exec/process/run-git.ts';
import {gitVariables} from './git-variables.ts';
import {isRunnerFile} from './runner-files.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';

/** The tree as it was before the agent, for the difference that the agent has made. */
export interface TreeBase {
  /** Looks at the tree once, when nothing of the agent runs any more. */
  changes(signal: AbortSignal): Promise<TreeChanges>;
  /** Brings changed paths back to what they were; those that were not there are removed. */
  putBack(changes: readonly Change[], signal: AbortSignal): Promise<void>;
}

interface Change {
  /** Relative to the tree. */
  readonly path: string;
  /** It was not there before. */
  readonly isNew: boolean;
}

export interface TreeChanges {
  /** A patch for `git apply`; files that are larger than {@link MAX_FILE_BYTES} are named at its end instead. */
  readonly patch: string | Buffer;
  /** Changed files that programs load by themselves when tests are run. */
  readonly runnerFiles: readonly Change[];
}

/**
 * Takes the tree as the base. The repository for it is the lab's own, so that no setting, hook or object of a repository in the tree counts. What
 * `.gitignore` names is left out.
 */
export async function takeBase(place: ScratchPlace, signal: AbortSignal): Promise<TreeBase> {
  const repository = join(place.record, 'base.git');
  await rm(repository, {recursive: true, force: true});
  await mkdir(join(repository, 'objects'), {recursive: true});
  await mkdir(join(repository, 'refs'));
  await Promise.all([writeFile(join(repository, 'HEAD'), 'ref: refs/heads/main\n'), writeFile(join(repository, 'config'), CONFIG)]);
  const git = async (args: readonly string[], stop: AbortSignal): Promise<Buffer> => {
    const env = {...gitVariables(), GIT_DIR: repository, GIT_WORK_TREE: place.tree};
    return (await runGit({cwd: place.tree, args, env, signal: stop})).stdout;
  };
  await git(['add', '--all', '.'], signal);
  return {
    async changes(stop) {
      const time = AbortSignal.any([stop, AbortSignal.timeout(DIFFERENCE_MS)]);
      try {
        await git(['add', '--no-all', '--intent-to-add', '--ignore-errors', '.'], time);
        const changes = readChanges((await git(['diff', '--name-status', '-z', ...PLAIN], time)).toString('utf8'));
        const large = await largeFiles(place.tree, changes);
        const kept = ['.', ...large.map((name) => `:(exclude,literal)${name}`)];
        const patch = changes.length === 0 ? '' : await git(['diff', '--binary', ...PLAIN, '--', ...kept], time);
        const left = large.map((name) => `# ${JSON.stringify(name)} is larger than ${MAX_FILE_BYTES} bytes and left out\n`).join('');
        return {patch: left === '' ? patch : `${patch.toString()}${left}`, runnerFiles: changes.filter(({path}) => isRunnerFile(path))};
      } catch (error) {
        stop.throwIfAborted();
        // A tree that git cannot read is the agent's work, and is judged as it is.
        return {patch: `# the difference could not be made: ${error instanceof Error ? error.message : String(error)}\n`, runnerFiles: []};
      }
    },
    async putBack(changes, stop) {
      for (const {path, isNew} of changes) if (isNew) await rm(join(place.tree, path), {recursive: true, force: true});
      const old = changes.flatMap(({path, isNew}) => (isNew ? [] : [path]));
      if (old.length > 0) await git(['checkout-index', '--force', '--', ...old], stop);
    },
  };
}

/** Pairs of a letter and a path, as `git diff --name-status -z` writes them; `A` is an entry that is only intended to be added. */
function readChanges(text: string): Change[] {
  const parts = text.split('\0');
  return parts.flatMap((path, index) => (index % 2 === 1 ? [{path, isNew: parts[index - 1] === 'A'}] : []));
}

/** The names of all changes, or their patch, whatever the attributes in the tree say. */
const PLAIN = ['--no-color', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const DIFFERENCE_MS = 60_000;

async function largeFiles(tree: string, changes: readonly Change[]): Promise<string[]> {
  const found = await Promise.all(
    changes.map(async ({path}) => {
      const stats = await lstat(join(tree, path)).catch(() => undefined);
      return stats !== undefined && stats.size > MAX_FILE_BYTES ? [path] : [];
    }),
  );
  return found.flat();
}

const CONFIG = `[core]
\trepositoryformatversion = 0
\tbare = false
\tautocrlf = false
\tquotePath = false
[advice]
\taddEmbeddedRepo = false
`;
