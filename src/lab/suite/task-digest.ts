import {createHash} from 'node:crypto';
import {isJsonObject, type Json} from '../../base/json.ts';
import type {StartingTree, SuiteTask, TaskPlace, TaskStep} from './task.ts';
import {treeDigest} from './tree-digest.ts';

/** Parts of a task that decide its result. */
export interface DigestedTask extends Pick<SuiteTask, 'steps' | 'start' | 'place' | 'limits'> {
  /** Files or folders from which the place is built, besides those that are copied. */
  readonly sources?: readonly string[];
  /** Texts that decide it, besides those of the task. */
  readonly notes?: readonly string[];
}

/**
 * Returns the SHA-256 of everything that decides the result of a task. Folders count by their content, not by their path, and nothing of this
 * machine counts: copies of a suite have the same digests everywhere. It also refuses trees that cannot be copied safely.
 * @throws FettleError CONFIG, CANCELLED
 */
export async function taskDigest(
  {steps, start, place, limits, sources = [], notes = []}: DigestedTask,
  signal: AbortSignal,
): Promise<string> {
  const contents = {
    steps: await inOrder(steps, async (step) => await stepContents(step, signal)),
    start: await startContents(start, signal),
    place: await placeContents(place, signal),
    limits,
    notes,
    sources: await inOrder(sources, async (path) => await treeDigest(path, signal)),
  };
  return createHash('sha256').update(JSON.stringify(contents, sorted)).digest('hex');
}

async function stepContents({files, verify, ...rest}: TaskStep, signal: AbortSignal): Promise<object> {
  return {
    ...rest,
    files: files === undefined ? null : await treeDigest(files, signal),
    verify: {...verify, tests: await inOrder(verify.tests, async (folder) => await treeDigest(folder, signal))},
  };
}

async function startContents(start: StartingTree, signal: AbortSignal): Promise<object> {
  if (start.kind === 'folder') return {kind: start.kind, digest: await treeDigest(start.folder, signal)};
  return start.kind === 'git' ? {kind: start.kind, commit: start.commit} : start;
}

/** A container is one way to build the place, and chosen by what the machine has: its sources count, not the choice. */
async function placeContents(place: TaskPlace, signal: AbortSignal): Promise<object> {
  const {copies, skills} = place;
  return {
    ...place,
    container: null,
    copies: await inOrder(copies, async ({from, to}) => ({to, digest: await treeDigest(from, signal)})),
    skills: skills === undefined ? null : await treeDigest(skills, signal),
  };
}

/** One after the other: trees are read from one disk. */
async function inOrder<From, To>(items: readonly From[], make: (item: From) => Promise<To>): Promise<To[]> {
  const made: To[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}

/** A replacer of JSON.stringify: the order of keys does not count. */
function sorted(_key: string, value: Json): Json {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
}
