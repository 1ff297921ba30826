import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {FettleError, isFettleError} from '../../base/errors.ts';
import type {MergeProposal} from '../../tools/ports/agent-runner.ts';
import {stateOf, type FileState} from '../../workspace/file-state.ts';
import {readWhole, withRegularFile} from '../../workspace/open-regular-file.ts';
import {openWorkspace} from '../../workspace/open-workspace.ts';
import type {Workspace} from '../../workspace/workspace.ts';
import {writeFiles, type FileStep} from '../../workspace/write-files.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {gitFor, type Git} from './child-git.ts';
import {factsFile, mergeFolderPrefix, proposedFiles, readFacts, type WorktreeFacts} from './worktree-place.ts';

type Session = Pick<SessionSettings, 'paths' | 'env' | 'home' | 'trust'>;

/**
 * Opens the changes of a subagent in its copy, against its starting point. Merging is done file by file in the
 * work tree: a file that is unchanged in the workspace is replaced, one that both changed is merged line by line
 * (git-merge-file(1)). The index, branches and stash of the person are not touched.
 */
export async function openProposal(session: Session, childThreadId: string): Promise<MergeProposal> {
  const {stateDir} = session.paths;
  const facts = readFacts(stateDir, childThreadId);
  if (facts?.result === undefined) {
    throw new FettleError({
      code: 'BAD_ARGS',
      message: 'Nothing to merge: it works in the workspace itself, changed nothing, or was merged.',
      hint: 'Only what a profile with isolation: worktree changed is merged.',
    });
  }
  const merge: Merge = {...facts, result: facts.result, git: await gitFor(session, {top: facts.top, cwd: facts.top}), session};
  await refuseOtherBranch(merge);
  return {
    files: proposedFiles(stateDir, childThreadId),
    diff: await diffOf(merge),
    async apply(signal) {
      await refuseOtherBranch(merge);
      const steps = await plannedSteps(merge, signal);
      await writeFiles(steps, {signal});
      rmSync(factsFile(stateDir, childThreadId), {force: true});
    },
  };
}

interface Merge extends WorktreeFacts {
  readonly result: string;
  readonly git: Git;
  readonly session: Session;
}

async function refuseOtherBranch({git, branch, commit}: Merge): Promise<void> {
  const named = await git.line(['symbolic-ref', '--quiet', 'HEAD'], [1]);
  const now = named === '' ? await git.line(['rev-parse', 'HEAD']) : named;
  if (now === branch) return;
  const wanted = branch === commit ? `commit ${commit.slice(0, 12)}` : branch.replace('refs/heads/', '');
  throw new FettleError({
    code: 'STALE',
    message: `The work came from ${wanted}, and the workspace is on ${now.replace('refs/heads/', '')} now.`,
    hint: `Check out ${wanted} first; nothing was changed.`,
  });
}

/** Characters of a diff that is shown. */
const MAX_DIFF = 60_000;

async function diffOf({git, base, result}: Merge): Promise<string> {
  const diff = await git.text(['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', base, result]);
  if (diff.length <= MAX_DIFF) return diff.trimEnd();
  return `${diff.slice(0, MAX_DIFF).toWellFormed()}\n[… ${diff.length - MAX_DIFF} more characters]`;
}

interface Change {
  readonly path: string;
  /** undefined: the file did not exist. */
  readonly from: Blob | undefined;
  readonly to: Blob | undefined;
}

interface Blob {
  readonly id: string;
  readonly isExecutable: boolean;
}

/** Returns the writes that the merge needs. Throws STALE with every place that cannot be merged. */
async function plannedSteps(merge: Merge, signal: AbortSignal): Promise<FileStep[]> {
  const workspace = await openWorkspace(merge.top);
  const steps: FileStep[] = [];
  const conflicts: string[] = [];
  for (const change of await changesOf(merge)) {
    const step = await plannedStep(merge, {workspace, change, signal});
    if (step === 'conflict') conflicts.push(change.path);
    else if (step !== undefined) steps.push(step);
  }
  if (conflicts.length === 0) return steps;
  const shown = conflicts.slice(0, 20).join(', ');
  throw new FettleError({
    code: 'STALE',
    message: `Nothing was merged: the workspace has other changes at the same place in ${shown}.`,
    hint: 'Merge your changes with those of the diff by hand, or tell the subagent to start over.',
  });
}

async function changesOf({git, base, result}: Merge): Promise<Change[]> {
  const words = (await git.text(['diff-tree', '-r', '-z', '--no-renames', '--no-abbrev', base, result])).split('\0');
  const changes: Change[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (words[at] ?? '').slice(1).split(' ');
    const path = words[at + 1] ?? '';
    for (const mode of [oldMode, newMode]) {
      if (mode !== ABSENT && !mode.startsWith('100')) throw notAFile(path);
    }
    changes.push({path, from: blobOf(oldMode, oldId), to: blobOf(newMode, newId)});
  }
  return changes;
}

const ABSENT = '000000';

function blobOf(mode: string, id: string): Blob | undefined {
  return mode === ABSENT ? undefined : {id, isExecutable: mode === '100755'};
}

function notAFile(path: string): FettleError {
  return new FettleError({
    code: 'NOT_A_FILE',
    message: `Nothing was merged: ${path} is a link or a submodule.`,
    hint: 'Only files are merged; do this part by hand.',
  });
}

interface Planned {
  readonly workspace: Workspace;
  readonly change: Change;
  readonly signal: AbortSignal;
}

async function plannedStep(merge: Merge, {workspace, change, signal}: Planned): Promise<FileStep | 'conflict' | undefined> {
  const {path: name, from, to} = change;
  const {path, inside} = await workspace.resolve(name, {scope: 'any', forWrite: true});
  // A link in the path: the file would be written somewhere else.
  if (!inside || path !== join(merge.top, name)) return 'conflict';
  const [before, after, now] = await Promise.all([bytesOf(merge, name, from), bytesOf(merge, name, to), onDisk(path)]);
  if (now === 'other') return 'conflict';
  if (same(now?.bytes, after)) return undefined;
  const bytes = same(now?.bytes, before) ? after : await mergedBytes(merge, {before, after, now: now?.bytes}, signal);
  return bytes === undefined || bytes === 'conflict' ? (bytes ?? {kind: 'delete', path}) : written(path, bytes, {change, now});
}

function written(path: string, bytes: Buffer, {change, now}: {readonly change: Change; readonly now: OnDisk | undefined}): FileStep {
  return {kind: 'write', path, bytes, expect: now?.state ?? 'absent', mode: newMode(change)};
}

/** undefined: the file keeps its mode. */
function newMode({from, to}: Change): number | undefined {
  const isExecutable = to?.isExecutable === true;
  if (isExecutable === (from?.isExecutable === true)) return undefined;
  return isExecutable ? 0o755 : 0o644;
}

/** Returns the bytes as in the work tree, with the line endings that git writes there. */
async function bytesOf({git}: Merge, path: string, blob: Blob | undefined): Promise<Buffer | undefined> {
  if (blob === undefined) return undefined;
  return (await git.run(['cat-file', '--filters', `--path=${path}`, blob.id])).stdout;
}

interface OnDisk {
  readonly bytes: Buffer;
  readonly state: FileState;
}

async function onDisk(path: string): Promise<OnDisk | 'other' | undefined> {
  try {
    return await withRegularFile(path, async (fd, stats) => ({bytes: await readWhole(fd, stats), state: stateOf(stats)}));
  } catch (error) {
    if (isFettleError(error) && error.code === 'NOT_FOUND') return undefined;
    if (isFettleError(error) && error.code === 'NOT_A_FILE') return 'other';
    throw error;
  }
}

function same(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

/** undefined: the file does not exist. */
interface ThreeWays {
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  readonly now: Buffer | undefined;
}

/** Conflict: both changed the same place, the file is not text, or one side has deleted it. */
async function mergedBytes({git, session}: Merge, {before, after, now}: ThreeWays, signal: AbortSignal): Promise<Buffer | 'conflict'> {
  if (before === undefined || after === undefined || now === undefined) return 'conflict';
  const sides = {now, before, after};
  const folder = mkdtempSync(mergeFolderPrefix(session.paths.stateDir));
  try {
    const names = (['now', 'before', 'after'] as const).map((side) => {
      writeFileSync(join(folder, side), sides[side], {mode: 0o600});
      return join(folder, side);
    });
    const {code, stdout} = await git.run(['merge-file', '-p', '--quiet', ...names], {accepts: ANY_CODE, signal});
    return code === 0 ? stdout : 'conflict';
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** The exit code is the number of conflicts, at most 127, or 255 for a file that is not text. */
const ANY_CODE = Array.from({length: 255}, (_, index) => index + 1);
