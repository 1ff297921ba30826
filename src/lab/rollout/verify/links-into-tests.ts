import {existsSync} from 'node:fs';
import {dirname, join, posix, relative} from 'node:path';
import {isFettleError} from '../../../base/errors.ts';
import {realTarget} from '../../../workspace/real-target.ts';
import type {TaskStep} from '../../suite/task.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import type {LoadedFiles} from '../tree/loaded-files.ts';

interface Around {
  readonly request: Pick<RolloutRequest, 'task'>;
  readonly place: ScratchPlace;
  /** The path of the tree as programs see it, if that is not its own. */
  readonly root?: string | undefined;
}

interface Looked {
  readonly before: LoadedFiles;
  readonly after: LoadedFiles;
}

/**
 * Returns the new links of the tree that would lead to a hidden test once it is in place: as the answer, such a link is always right. Those that the task
 * begins with are its own.
 */
export function linksIntoTests({request, place, root}: Around, {verify}: TaskStep, {before, after}: Looked): readonly string[] {
  if (verify.tests.length === 0) return [];
  const seenAt = root ?? (request.task.place.kind === 'root' ? '/app' : undefined);
  return [...after].flatMap(([path, now]) => {
    const old = before.get(path);
    if (now.kind !== 'link' || (old?.kind === 'link' && old.target === now.target)) return [];
    const link = {path, target: now.target};
    const leads = seenAt === undefined ? leadsFromFolder(place, link, verify) : leadsFromRoot({...place, root: seenAt}, link, verify);
    return leads ? [path] : [];
  });
}

interface Link {
  readonly path: string;
  readonly target: string;
}

type Tests = Pick<TaskStep['verify'], 'tests' | 'testsAt'>;

/** The tests are not there yet: what follows the part that exists is taken by its names. */
function leadsFromFolder({tree, work}: ScratchPlace, {path, target}: Link, {tests, testsAt}: Tests): boolean {
  if (isOfProcess(target)) return true;
  const name = relative(join(work, testsAt), targetOf(join(tree, path)));
  if (name === '..' || name.startsWith('../')) return false;
  return testsAt !== '.' || (name !== '' && tests.some((folder) => existsSync(join(folder, name))));
}

/** Programs see other folders than the lab: a link out of the tree is judged by its text, and one above the tests leads to them, too. */
function leadsFromRoot({tree, root}: ScratchPlace & {readonly root: string}, {path, target}: Link, {tests, testsAt}: Tests): boolean {
  if (isOfProcess(target)) return true;
  const seen = posix.resolve(posix.join(root, dirname(path)), target);
  const isInTree = seen === root || seen.startsWith(`${root}/`);
  const real = isInTree ? posix.join(root, relative(tree, targetOf(join(tree, seen.slice(root.length))))) : seen;
  const name = relative(testsAt, real);
  if (name !== '..' && !name.startsWith('../')) return testsAt !== root || tests.some((folder) => existsSync(join(folder, name)));
  return !isInTree && `${testsAt}/`.startsWith(seen === '/' ? seen : `${seen}/`);
}

/** Such a link leads elsewhere for each who follows it. */
function isOfProcess(target: string): boolean {
  return /^(?:\.\.\/)*\/?(?:proc|dev\/fd)\//.test(target);
}

function targetOf(path: string): string {
  try {
    return realTarget(path).path;
  } catch (error) {
    if (isFettleError(error)) return path; // a loop, which leads nowhere
    throw error;
  }
}
