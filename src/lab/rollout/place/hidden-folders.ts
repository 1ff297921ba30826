import {lstatSync, readFileSync, realpathSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {hiddenPlaces} from '../../../exec/sandbox/linux/hidden-paths.ts';
import {userHome} from '../../../exec/variables/user-home.ts';
import type {RolloutRequest} from '../rollout-request.ts';

/**
 * The files and folders that no program of a rollout sees, as real paths: keys and logins of the person, the suite with its tests and mirrors,
 * everything of the lab, other rollouts.
 */
export function hiddenFolders({folders, agent, task}: Pick<RolloutRequest, 'folders' | 'agent' | 'task'>): string[] {
  const mirror = task.start.kind === 'git' ? [task.start.repository] : [];
  const tests = task.steps.flatMap(({verify}) => verify.tests);
  const own = [folders.scratch, ...folders.hidden, ...mirror, ...tests].flatMap(withHistory);
  const isRoot = process.getuid?.() === 0;
  return [...new Set([...secretsOf(userHome(agent.env), isRoot), ...own.flatMap(realPath)])];
}

/** Looked up again each few seconds: an agent that has begun does not see later changes either. */
function secretsOf(home: string, isRoot: boolean): readonly string[] {
  const now = performance.now();
  if (known?.home !== home || known.until < now)
    known = {home, until: now + KNOWN_MS, places: hiddenPlaces({homes: [home], own: [], isRoot})};
  return known.places;
}

let known: {readonly home: string; readonly until: number; readonly places: readonly string[]} | undefined;
const KNOWN_MS = 2000;

/** A suite that is part of a repository is also in the history of that. */
function withHistory(folder: string): string[] {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const git = join(at, '.git');
    const found = lstatSync(git, {throwIfNoEntry: false});
    if (found === undefined) continue;
    return [folder, git, ...(found.isFile() && found.size < MAX_BYTES ? gitFolderOf(git) : [])];
  }
  return [folder];
}

const MAX_BYTES = 4096;

/** The repository of a linked worktree (gitrepository-layout(5)). */
function gitFolderOf(file: string): string[] {
  const named = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (named === undefined) return [];
  const own = resolve(dirname(file), named);
  return [/\/worktrees\/[^/]+$/.test(own) ? dirname(dirname(own)) : own];
}

function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
