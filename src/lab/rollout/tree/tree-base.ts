import {lstat, mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {readWhole, withRegularFile} from '../../../workspace/open-regular-file.ts';
import {runConfined} from '../place/run-confined.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import {filePatch} from './file-patch.ts';
import {gitVariables} from './git-variables.ts';
import {PRODUCT_PATTERNS} from './products.ts';
import {smallTreeChanges} from './small-tree.ts';

/** The tree as it was before the agent, for the difference that the agent has made. */
export interface TreeBase {
  /** Looks at the tree once, when nothing of the agent runs any more: a patch for `git apply`; files that are larger than 8 MiB are named at its end instead. */
  patch(signal: AbortSignal): Promise<string | Buffer>;
}

interface Around {
  readonly request: RolloutRequest;
  readonly place: ScratchPlace;
  /** A folder with the same content, which nobody changes: then it is looked at later, together with the tree, and without git if that can be. */
  readonly pristine?: string | undefined;
}

/**
 * Takes the tree as the base. The repository for it is the lab's own, and git runs in isolation: it looks into repositories in the tree, and obeys
 * their settings. What `.gitignore` names is left out, and what running programs leaves: {@link PRODUCT_PATTERNS}. Throws IO if the tree cannot be taken.
 */
export async function takeBase(around: Around, signal: AbortSignal): Promise<TreeBase> {
  const {pristine} = around;
  const base: Base = {...around, repository: join(around.place.record, 'base.git')};
  await rm(base.repository, {recursive: true, force: true});
  if (pristine === undefined) await takeWithGit(base, signal);
  return {
    patch: async (stop) => (pristine === undefined ? undefined : smallPatch(pristine, base)) ?? (await patchSince(base, stop)),
  };
}

/** Undefined if git has to look. */
function smallPatch(pristine: string, {place}: Base): Buffer | undefined {
  const found = smallTreeChanges(pristine, place.tree);
  return found === undefined ? undefined : Buffer.concat(found.map(filePatch));
}

async function takeWithGit(base: Base, signal: AbortSignal): Promise<void> {
  await makeRepository(base);
  await runScript(base, {script: TAKE, args: []}, signal);
}

async function makeRepository({repository}: Base): Promise<void> {
  await mkdir(join(repository, 'objects'), {recursive: true});
  await Promise.all([mkdir(join(repository, 'refs')), mkdir(join(repository, 'info'))]);
  await Promise.all([writeFile(join(repository, 'HEAD'), 'ref: refs/heads/main\n'), writeFile(join(repository, 'config'), CONFIG)]);
  await writeFile(join(repository, 'info', 'exclude'), `${PRODUCT_PATTERNS.join('\n')}\n`);
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

async function patchSince(base: Base, signal: AbortSignal): Promise<string | Buffer> {
  const {repository, place, pristine} = base;
  try {
    if (pristine !== undefined) await makeRepository(base);
    const script = pristine === undefined ? LOOK : `${TAKE_PRISTINE}\n${LOOK}`;
    await runScript(base, {script, args: PLAIN}, signal);
    const changes = (await contentOf(join(repository, 'names'))).toString('utf8').split('\0').slice(0, -1);
    const large = await largeFiles(place.tree, changes);
    if (large.length > 0) await runScript(base, {script: PATCH, args: [...PLAIN, '--', '.', ...large.map(exclude)]}, signal);
    const patch = changes.length === 0 ? '' : await contentOf(join(repository, 'patch'));
    const left = large.map((name) => `# ${JSON.stringify(name)} is larger than ${MAX_FILE_BYTES} bytes and left out\n`).join('');
    return left === '' ? patch : `${patch.toString()}${left}`;
  } catch (error) {
    if (signal.aborted) throw error;
    // A tree that git cannot read is the agent's work, and is judged as it is.
    return `# the difference could not be made: ${error instanceof Error ? error.message : String(error)}\n`;
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
git diff --name-only -z --output="$GIT_DIR/names" "$@" || exit
[ -n "$(find . -type f -size +16384 -print 2>/dev/null | head -n 1)" ] || ${PATCH}`;

function exclude(name: string): string {
  return `:(exclude,literal)${name}`;
}

interface Script {
  readonly script: string;
  readonly args: readonly string[];
}

async function runScript({request, place, repository, pristine}: Base, {script, args}: Script, signal: AbortSignal): Promise<void> {
  const result = await runConfined(
    {request, place},
    {
      program: 'sh',
      args: ['-c', script, pristine ?? 'sh', ...args],
      rules: {
        writable: [repository],
        visible: [place.tree, ...(pristine === undefined ? [] : [pristine])],
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

async function largeFiles(tree: string, changes: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    changes.map(async (path) => {
      const stats = await lstat(join(tree, path)).catch(() => undefined);
      return stats !== undefined && stats.size > MAX_FILE_BYTES ? [path] : [];
    }),
  );
  return found.flat();
}
