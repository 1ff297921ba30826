import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {childEnvironment} from '../../exec/variables/child-environment.ts';
import {runGit} from '../../exec/process/run-git.ts';
import {findRepositoryRoot, gitDirectoryOf, type GitDirectory} from '../ignore/git-directory.ts';
import type {GitEnvironment} from '../ignore/git-settings.ts';
import {hasObject, listObjects, mayHaveLost, type GitObjects} from './store/git-objects.ts';

/** A repository as it was before a command. */
export interface GitState extends GitDirectory {
  readonly top: string;
  /** The text of HEAD. */
  readonly head: string | undefined;
  /** Objects by the full names of the refs, `HEAD` for a detached one. */
  readonly refs: ReadonlyMap<string, string>;
  /** Stashes by their commits: those below the newest are in its reflog alone. */
  readonly stashes: ReadonlyMap<string, string>;
  readonly objects: GitObjects;
}

/** Notices losses that a command causes in the repository of a folder. They are only reported, not saved. */
export interface GitWatch {
  /** undefined: no repository. */
  look(): Promise<GitState | undefined>;
  /** Lists refs and objects that were seen at a look, or at an earlier one, and are gone: one line each. */
  losses(before: GitState): Promise<string[]>;
}

export function createGitWatch(root: string, env: GitEnvironment): GitWatch {
  /** Every object that a ref was seen at, and that ref. */
  const tips = new Map<string, string>();
  let objects: GitObjects | undefined;
  return {
    async look() {
      const top = await findRepositoryRoot(root);
      const directory = top === undefined ? undefined : await gitDirectoryOf(top);
      if (top === undefined || directory === undefined) return undefined;
      const state = stateOf(top, directory, objects);
      ({objects} = state);
      for (const [ref, id] of state.refs) if (!tips.has(id)) tips.set(id, ref);
      return state;
    },
    async losses(before) {
      const now = stateOf(before.top, before, before.objects);
      const comparison: Comparison = {before, now, env: childEnvironment(env)};
      const headGone = now.head === undefined ? [headLost(before)] : [];
      const refsGone = await lostRefs(comparison);
      const commitsGone = mayHaveLost(before.objects, now.objects) ? await lostCommits(comparison, tips) : [];
      return [...headGone, ...refsGone, ...commitsGone];
    },
  };
}

interface Comparison {
  readonly before: GitState;
  readonly now: GitState;
  readonly env: ReturnType<typeof childEnvironment>;
}

function stateOf(top: string, {directory, commonDirectory}: GitDirectory, last: GitObjects | undefined): GitState {
  const head = textOf(join(directory, 'HEAD')).trim();
  const refs = new Map<string, string>();
  for (const [, id = '', ref = ''] of textOf(join(commonDirectory, 'packed-refs')).matchAll(PACKED_REF)) refs.set(ref, id);
  readLooseRefs(commonDirectory, 'refs', refs);
  if (OBJECT_ID.test(head)) refs.set('HEAD', head);
  const isHead = OBJECT_ID.test(head) || head.startsWith('ref: refs/');
  const objects = listObjects(join(commonDirectory, 'objects'), last);
  return {top, directory, commonDirectory, head: isHead ? head : undefined, refs, stashes: stashesOf(commonDirectory), objects};
}

function stashesOf(commonDirectory: string): Map<string, string> {
  const ids = [...textOf(join(commonDirectory, 'logs', STASH)).matchAll(REFLOG_LINE)].flatMap(([, id]) => id ?? []);
  return new Map(ids.map((id, line) => [id, `stash@{${ids.length - 1 - line}}`]));
}

const STASH = 'refs/stash';
/** The object before, the object after (what `git reflog` reads, the oldest first). */
const REFLOG_LINE = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm;

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const PACKED_REF = /^([0-9a-f]{40,64}) (refs\/\S+)$/gm;
const MAX_REFS = 5000;

function readLooseRefs(directory: string, folder: string, refs: Map<string, string>): void {
  for (const entry of entriesOf(join(directory, folder))) {
    const ref = `${folder}/${entry.name}`;
    if (refs.size > MAX_REFS) return;
    if (entry.isDirectory()) readLooseRefs(directory, ref, refs);
    else {
      const text = textOf(join(directory, ref)).trim();
      // A garbled ref hides the packed ref of that name.
      if (OBJECT_ID.test(text)) refs.set(ref, text);
      else if (!text.startsWith('ref: ')) refs.delete(ref);
    }
  }
}

function entriesOf(folder: string): {name: string; isDirectory(): boolean}[] {
  try {
    return readdirSync(folder, {withFileTypes: true}).filter(({name}) => !name.endsWith('.lock'));
  } catch {
    return [];
  }
}

/** Returns '' for a file that is missing, not regular or too large. */
function textOf(file: string): string {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size < MAX_TEXT ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

const MAX_TEXT = 16 * 1024 * 1024;

function headLost({head = '', refs}: GitState): string {
  const name = head.replace(/^ref: (?:refs\/heads\/)?/, '');
  const id = refs.get(head.replace(/^ref: /, ''));
  return `HEAD of the git repository is gone (it was ${shortest(name)}${id === undefined ? '' : ` at ${short(id)}`}): ${NOT_UNDONE}`;
}

const NOT_UNDONE = 'undo does not bring back what is in .git.';

/** Returns refs and stashes that are gone and whose commits no other ref reaches: a merged or renamed branch is not a loss. */
async function lostRefs({before, now, env}: Comparison): Promise<string[]> {
  const tips = new Set(now.refs.values());
  const stashes = [...before.stashes].filter(([id]) => !now.stashes.has(id)).map(([id, name]) => [name, id] as const);
  const refs = [...before.refs].filter(([ref, id]) => ref !== 'HEAD' && !now.refs.has(ref) && !before.stashes.has(id));
  const gone = [...refs, ...stashes].filter(([, id]) => !tips.has(id));
  if (gone.length === 0) return [];
  const lost: string[] = [];
  for (const [ref, id] of gone.slice(0, MAX_ASKED)) {
    if (now.head !== undefined && (await isReached(id, {before, now, env}))) continue;
    lost.push(`${shortest(ref)} at ${short(id)}`);
  }
  const more = gone.length > MAX_ASKED ? ` and up to ${gone.length - MAX_ASKED} more` : '';
  return lost.length === 0 ? [] : [`These refs of the git repository are gone: ${lost.toSorted().join(', ')}${more}: ${NOT_UNDONE}`];
}

const MAX_ASKED = 20;

async function isReached(id: string, {before, env}: Comparison): Promise<boolean> {
  try {
    const args = [`--git-dir=${before.directory}`, 'rev-list', '--max-count=1', id, '--not', '--all', 'HEAD'];
    const {stdout} = await runGit({cwd: before.top, args, env, signal: AbortSignal.timeout(TIMEOUT_MS)});
    return stdout.length === 0;
  } catch {
    return false; // cannot be read, or is unknown
  }
}

/** ms for git to walk a history after objects have disappeared. */
const TIMEOUT_MS = 20_000;

/** Returns commits that refs pointed to and that are no longer stored, and histories with holes. Repacking is not a loss. */
async function lostCommits({before, now, env}: Comparison, tips: Map<string, string>): Promise<string[]> {
  const folder = join(before.commonDirectory, 'objects');
  if (now.head !== undefined && (await isWhole([...tips.keys()], {before, now, env}))) return [];
  const gone = [...tips].filter(([id]) => !hasObject(folder, now.objects, id));
  for (const [id] of gone) tips.delete(id);
  const named = gone
    .slice(0, MAX_ASKED)
    .map(([id, ref]) => `${shortest(ref)} at ${short(id)}`)
    .toSorted();
  if (named.length > 0) return [`Commits of the git repository cannot be read any more: ${named.join(', ')}: ${NOT_UNDONE}`];
  return [`The history of the git repository has holes: objects that it needs are gone (see \`git fsck\`): ${NOT_UNDONE}`];
}

async function isWhole(tips: readonly string[], {before, env}: Comparison): Promise<boolean> {
  try {
    const args = [`--git-dir=${before.directory}`, 'rev-list', '--quiet', '--objects', '--exclude-promisor-objects', '--stdin'];
    await runGit({cwd: before.top, args, env, input: `${tips.join('\n')}\n`, signal: AbortSignal.timeout(TIMEOUT_MS)});
    return true;
  } catch {
    return false;
  }
}

function short(id: string): string {
  return id.slice(0, 12);
}

function shortest(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags|remotes)\//, '');
}
