import {hash} from 'node:crypto';
import {mkdir, realpath} from 'node:fs/promises';
import {isAbsolute, join, relative} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {hiddenFolders} from './hidden-folders.ts';
import {removeTree} from '../tree/remove-tree.ts';
import type {RolloutKey} from '../rollout.ts';
import type {RolloutRequest} from '../rollout-request.ts';

/** The folders of one rollout. All are real paths outside; `workdir` is how programs of the task see their working folder. */
export interface ScratchPlace {
  readonly folder: string;
  /** The starting tree, and what the agent makes of it. */
  readonly tree: string;
  /** The working folder in it. */
  readonly work: string;
  /** The same as programs see it. */
  readonly workdir: string;
  /** `/logs` of a task of the kind `root`. */
  readonly logs: string;
  /** HOME of the agent and its commands. */
  readonly home: string;
  /** FETTLE_HOME. */
  readonly state: string;
  readonly temporary: string;
  /** Files and folders that no program of the rollout sees. */
  readonly hidden: readonly string[];
  /** Seen by the lab alone. */
  readonly record: string;
  /** Recreated for each verification: HOME, tests and rewards. */
  readonly judge: string;
}

/** Makes the folders of a rollout. What an attempt that was killed has left there is removed; throws IO if it cannot be. */
export async function makeScratchPlace({key, task, folders, agent}: RolloutRequest): Promise<ScratchPlace> {
  const folder = join(folders.scratch, scratchName(key));
  await removeTree(folder);
  await mkdir(folders.scratch, {recursive: true, mode: 0o700});
  await mkdir(folder, {mode: 0o700}).catch((cause: unknown) => {
    const message = `The scratch folder ${folder} of an earlier attempt cannot be removed.`;
    throw new FettleError({code: 'IO', message, hint: 'Remove it by hand, and resume the run.', cause});
  });
  const real = await realpath(folder);
  const place = {...placeIn(real, task.place), hidden: hiddenFolders({folders, agent, task})};
  for (const path of [place.tree, place.work, place.logs, place.home, place.state, place.temporary, place.record, place.judge])
    await mkdir(path, {recursive: true, mode: 0o700});
  return place;
}

/** The same rollout has the same folder, so that one that was interrupted is found again. */
export function scratchName({run, task, model, toolset, attempt}: RolloutKey): string {
  return hash('sha256', JSON.stringify([run, task, model, toolset, attempt])).slice(0, 24);
}

function placeIn(folder: string, {kind, workdir, container}: RolloutRequest['task']['place']): Omit<ScratchPlace, 'hidden'> {
  const tree = join(folder, 'tree');
  const isRoot = kind === 'root';
  // Of a container, the tree is a copy of its working folder, wherever that is.
  const inside = container !== undefined ? '' : isRoot ? relative('/app', workdir) : workdir;
  if (isAbsolute(inside) || inside.split('/').includes('..')) {
    const message = `The working folder ${workdir} of the task is outside of its place.`;
    throw new FettleError({code: 'CONFIG', message, hint: isRoot ? 'Choose /app or a folder below it.' : 'Choose a relative folder.'});
  }
  const work = join(tree, inside);
  const of = (name: string): string => join(folder, name);
  return {
    folder,
    tree,
    work,
    workdir: isRoot ? workdir : work,
    logs: of('logs'),
    home: of('home'),
    state: of('state'),
    temporary: of('tmp'),
    record: of('record'),
    judge: of('judge'),
  };
}
