import {lstat, mkdir, writeFile} from 'node:fs/promises';
import {isAbsolute, join, posix, relative} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import type {ShownFolder} from '../../../exec/sandbox/isolation.ts';
import type {Verification} from '../../suite/task.ts';
import {GIT_CONFIG} from '../tree/git-variables.ts';
import {mergeTests} from '../tree/merge-tests.ts';
import {removeShadows} from './remove-shadows.ts';
import {removeTree} from '../tree/remove-tree.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';

/** The things that a verification needs besides the tree. */
interface VerificationPlace {
  /** HOME, in which the agent has left nothing. */
  readonly home: string;
  readonly shown: readonly ShownFolder[];
  /** The files of rewards, outside. */
  readonly rewardFiles: readonly string[];
}

/** Puts the hidden tests where the command expects them, and removes what the agent has put in the place of tests and rewards. */
export async function prepareVerification(request: RolloutRequest, place: ScratchPlace, verify: Verification): Promise<VerificationPlace> {
  await removeTree(place.judge);
  const [home, temporary] = [join(place.judge, 'home'), join(place.judge, 'tmp')];
  await mkdir(home, {recursive: true, mode: 0o700});
  await mkdir(temporary);
  await writeFile(join(home, '.gitconfig'), GIT_CONFIG);
  const tests = await putTests({request, place}, verify);
  const rewards = await clearRewards({request, place}, verify.rewardFiles);
  const own: ShownFolder[] = request.isolation?.canShow === true ? [{folder: temporary, at: '/tmp', writable: true}] : [];
  return {home, shown: [...own, ...tests, ...rewards.shown], rewardFiles: rewards.paths};
}

interface Around {
  readonly request: RolloutRequest;
  readonly place: ScratchPlace;
}

/** Puts the hidden tests where the command expects them. Those outside of the working folder get a folder that the agent has never seen. */
async function putTests({request, place}: Around, {tests, testsAt}: Verification): Promise<ShownFolder[]> {
  if (tests.length === 0) return [];
  const inside = insideTree(request, place, testsAt);
  if (inside !== undefined) {
    if (await isAgentsOwn(request, join(place.tree, ...inside), place)) await removeTree(join(place.tree, ...inside));
    await mergeTests(tests, {root: place.tree, to: inside});
    for (const folder of tests) await removeShadows(folder, join(place.tree, ...inside));
    return [];
  }
  const folder = join(place.judge, 'tests');
  await mkdir(folder, {recursive: true});
  await mergeTests(tests, {root: folder, to: []});
  return [{folder, at: posix.normalize(testsAt).replace(/\/$/, ''), writable: true}];
}

/** Returns true for a folder of tests that the task does not begin with: whatever is in it, such as a module that tests would load, was planted. */
async function isAgentsOwn({task: {start}}: RolloutRequest, folder: string, {work}: ScratchPlace): Promise<boolean> {
  const name = relative(work, folder);
  if (name === '' || name.startsWith('..') || start.kind === 'git') return false;
  if (start.kind === 'empty') return true;
  return await lstat(join(start.folder, name)).then(
    () => false,
    () => true,
  );
}

/** Removes what the agent has put where rewards are read; those of Harbor get a folder that the agent has never seen. */
async function clearRewards({request, place}: Around, files: readonly string[]): Promise<{paths: string[]; shown: ShownFolder[]}> {
  const shown = new Map<string, ShownFolder>();
  const paths: string[] = [];
  for (const file of files) {
    const inside = insideTree(request, place, file);
    if (inside === undefined) {
      const at = posix.dirname(posix.normalize(file));
      const folder = shown.get(at)?.folder ?? join(place.judge, `rewards-${shown.size}`);
      await mkdir(folder, {recursive: true});
      shown.set(at, {folder, at, writable: true});
      paths.push(join(folder, posix.basename(file)));
    } else {
      // A link on the way would lead elsewhere.
      await mergeTests([], {root: place.tree, to: inside.slice(0, -1)});
      const path = join(place.tree, ...inside);
      await removeTree(path);
      paths.push(path);
    }
  }
  return {paths, shown: [...shown.values()]};
}

/** The names below the tree of a path in the place; undefined if it is another folder of the place. Throws CONFIG if it leads out. */
function insideTree({task}: RolloutRequest, place: ScratchPlace, path: string): string[] | undefined {
  const isRoot = task.place.kind === 'root';
  if (isAbsolute(path) && !isRoot) throw outside(path);
  const full = isAbsolute(path) ? posix.normalize(path) : posix.join(isRoot ? place.workdir : `/${relative(place.tree, place.work)}`, path);
  const base = isRoot ? '/app' : '/';
  const names = relative(base, full)
    .split('/')
    .filter((name) => name !== '');
  if (names[0] !== '..') return names;
  if (isRoot) return undefined;
  throw outside(path);
}

function outside(path: string): FettleError {
  const message = `${path} is outside of the working folder of the task.`;
  return new FettleError({code: 'CONFIG', message, hint: 'Choose a path below it.'});
}
