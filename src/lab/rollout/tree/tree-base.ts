import {lstat, mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {readWhole, withRegularFile} from '../../../workspace/open-regular-file.ts';
import {runConfined} from '../place/run-confined.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import {gitVariables} from './git-variables.ts';
import {isRunnerFile} from './runner-files.ts';

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
  /** A patch for `git apply`; files that are larger than 8 MiB are named at its end instead. */
  readonly patch: string | Buffer;
  /** Changed files that programs load by themselves when tests are run. */
  readonly runnerFiles: readonly Change[];
}

interface Around {
  readonly request: RolloutRequest;
  readonly place: ScratchPlace;
  /** A folder with the same content, which nobody changes: then it is looked at later, together with the tree. */
  readonly pristine?: string | undefined;
}

/**
 * Takes the tree as the base. The repository for it is the lab's own, and git runs in isolation: it looks into repositories in the tree, and obeys
 * their settings. What `.gitignore` names is left out. Throws IO if the tree cannot be taken.
 */
export async function takeBase(around: Around, signal: AbortSignal): Promise<TreeBase> {
  const repository = join(around.place.record, 'base.git');
  await rm(repository, {recursive: true, force: true});
  await mkdir(join(repository, 'objects'), {recursive: true});
  await mkdir(join(repository, 'refs'));
  await Promise.all([writeFile(join(repository, 'HEAD'), 'ref: refs/heads/main\n'), writeFile(join(repository, 'config'), CONFIG)]);
  const base: Base = {...around, repository};
  if (around.pristine === undefined) await runScript(base, {script: TAKE, args: []}, signal);
  return {
    changes: async (stop) => await changesSince(base, stop),
    async putBack(changes, stop) {
      for (const {path, isNew} of changes) if (isNew) await rm(join(around.place.tree, path), {recursive: true, force: true});
      const old = changes.flatMap(({path, isNew}) => (isNew ? [] : [path]));
      if (old.length > 0) await runScript(base, {script: 'git checkout-index --force -- "$@"', args: old, changesTree: true}, stop);
    },
  };
}

const CONFIG = `[core]
\trepositoryformatversion = 0
\tbare = false
\tautocrlf = false
\tquotePath = false
\thooksPath = /dev/null
\tfsmonitor = false
[gc]
\tauto = 0
[advice]
\taddEmbeddedRepo = false
`;

interface Base extends Around {
  readonly repository: string;
}

async function changesSince(base: Base, signal: AbortSignal): Promise<TreeChanges> {
  const {repository, place, pristine} = base;
  try {
    const script = pristine === undefined ? LOOK : `${TAKE_PRISTINE}\n${LOOK}`;
    await runScript(base, {script, args: PLAIN}, signal);
    const changes = readChanges((await contentOf(join(repository, 'names'))).toString('utf8'));
    const large = await largeFiles(place.tree, changes);
    if (large.length > 0) await runScript(base, {script: PATCH, args: [...PLAIN, '--', '.', ...large.map(exclude)]}, signal);
    const patch = changes.length === 0 ? '' : await contentOf(join(repository, 'patch'));
    const left = large.map((name) => `# ${JSON.stringify(name)} is larger than ${MAX_FILE_BYTES} bytes and left out\n`).join('');
    return {patch: left === '' ? patch : `${patch.toString()}${left}`, runnerFiles: changes.filter(({path}) => isRunnerFile(path))};
  } catch (error) {
    if (signal.aborted) throw error;
    // A tree that git cannot read is the agent's work, and is judged as it is.
    return {patch: `# the difference could not be made: ${error instanceof Error ? error.message : String(error)}\n`, runnerFiles: []};
  }
}

/** The names of all changes or their patch, whatever the attributes in the tree say. */
const PLAIN = ['--no-color', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const TAKE = 'git add --all .';
const TAKE_PRISTINE = `(cd "$0" && GIT_WORK_TREE="$0" ${TAKE}) || exit`;
const PATCH = 'git diff --binary --output="$GIT_DIR/patch" "$@"';
/** One process for all, but for the patch of a tree with a large file, in blocks of 512 bytes: from such a patch it has to be excluded. */
const LOOK = `git add --no-all --intent-to-add --ignore-errors . 2>/dev/null
git diff --name-status -z --output="$GIT_DIR/names" "$@" || exit
[ -n "$(find . -type f -size +16384 -print 2>/dev/null | head -n 1)" ] || ${PATCH}`;

function exclude(name: string): string {
  return `:(exclude,literal)${name}`;
}

interface Script {
  readonly script: string;
  readonly args: readonly string[];
  readonly changesTree?: boolean | undefined;
}

async function runScript(
  {request, place, repository, pristine}: Base,
  {script, args, changesTree = false}: Script,
  signal: AbortSignal,
): Promise<void> {
  const result = await runConfined(
    {request, place},
    {
      program: 'sh',
      args: ['-c', script, pristine ?? 'sh', ...args],
      rules: {
        writable: changesTree ? [repository, place.tree] : [repository],
        visible: [...(changesTree ? [] : [place.tree]), ...(pristine === undefined ? [] : [pristine])],
        hidden: place.hidden,
        shown: [],
        network: false,
        nested: false,
      },
      cwd: place.tree,
      env: {...gitVariables(), GIT_DIR: repository, GIT_WORK_TREE: place.tree},
      timeoutMs: TIMEOUT_MS,
    },
    signal,
  );
  if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  if (result.exitCode === 0) return;
  const said = result.timedOut ? `not finished after ${TIMEOUT_MS / 1000} s` : (result.stderr.head.trim().split('\n').at(-1) ?? '');
  throw new FettleError({
    code: 'IO',
    message: `git in the tree of the task: ${said}`,
    hint: 'Check that git is installed, and look at the tree.',
  });
}

const TIMEOUT_MS = 120_000;

/** The file may be a link by now: git has obeyed what it found in the tree. */
async function contentOf(file: string): Promise<Buffer> {
  return await withRegularFile(file, async (fd, stats) => {
    if (stats.size > MAX_PATCH_BYTES) throw new FettleError({code: 'TOO_LARGE', message: 'it is too large'});
    return await readWhole(fd, stats);
  });
}

const MAX_PATCH_BYTES = 64 * 1024 * 1024;

/** Pairs of a letter and a path, as `git diff --name-status -z` writes them; `A` is an entry that is only intended to be added. */
function readChanges(text: string): Change[] {
  const parts = text.split('\0');
  return parts.flatMap((path, index) => (index % 2 === 1 ? [{path, isNew: parts[index - 1] === 'A'}] : []));
}

async function largeFiles(tree: string, changes: readonly Change[]): Promise<string[]> {
  const found = await Promise.all(
    changes.map(async ({path}) => {
      const stats = await lstat(join(tree, path)).catch(() => undefined);
      return stats !== undefined && stats.size > MAX_FILE_BYTES ? [path] : [];
    }),
  );
  return found.flat();
}
