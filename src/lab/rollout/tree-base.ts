import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {runGit} from '../../exec/process/run-git.ts';
import type {ScratchPlace} from './scratch-place.ts';

/** The tree as it was before the agent, for the difference that the agent has made. */
export interface TreeBase {
  /** The changes since, as a patch for `git apply`, bounded. */
  patch(signal: AbortSignal): Promise<Buffer>;
}

/**
 * Takes the tree as the base. The repository for it is the lab's own, so that no setting, hook or ignored object of a repository in the tree counts;
 * what `.gitignore` names is left out.
 */
export async function takeBase(place: ScratchPlace, signal: AbortSignal): Promise<TreeBase> {
  const repository = join(place.record, 'base.git');
  await mkdir(join(repository, 'objects'), {recursive: true});
  await mkdir(join(repository, 'refs'), {recursive: true});
  await Promise.all([writeFile(join(repository, 'HEAD'), 'ref: refs/heads/main\n'), writeFile(join(repository, 'config'), CONFIG)]);
  const git = async (args: readonly string[], stop: AbortSignal): Promise<Buffer> => {
    const env = {...VARIABLES, GIT_DIR: repository, GIT_WORK_TREE: place.tree};
    return (await runGit({cwd: place.tree, args, env, signal: stop})).stdout;
  };
  await git(['add', '--all', '.'], signal);
  return {
    async patch(stop) {
      await git(['add', '--all', '--intent-to-add', '.'], stop);
      return await git(['diff', '--binary', '--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'], stop);
    },
  };
}

const CONFIG = `[core]
\trepositoryformatversion = 0
\tbare = false
\tautocrlf = false
[gc]
\tauto = 0
[advice]
\taddEmbeddedRepo = false
`;

const VARIABLES = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
};
