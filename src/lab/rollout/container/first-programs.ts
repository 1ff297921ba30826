import {mkdir, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {createArguments, removeArguments} from '../../container/engine-arguments.ts';
import {removeTree} from '../tree/remove-tree.ts';
import {engine, type Box} from './box.ts';

interface ChangedProgram {
  /** Absolute in the container. */
  readonly path: string;
  /** The image does not have it. */
  readonly isNew: boolean;
}

/**
 * Puts back the programs with which a verification begins, while the container is stopped, and returns those that were changed. New ones are emptied: remove
 * them when the container runs.
 */
export async function putBackPrograms(box: Box, signal: AbortSignal): Promise<readonly ChangedProgram[]> {
  const changed = changedPrograms((await engine(box, ['diff', box.name], signal)).stdout);
  if (changed.length === 0) return [];
  const {program} = box.containers.engine;
  const pristine = `${box.name}-pristine`;
  const folder = join(box.place.record, 'programs');
  await removeTree(folder);
  await mkdir(folder);
  await engine(box, createArguments({name: pristine, labels: box.labels, image: box.image}), signal);
  try {
    for (const {path, isNew} of changed) {
      const copy = join(folder, basename(path));
      if (isNew) await writeFile(copy, '');
      else await engine(box, ['cp', `${pristine}:${path}`, copy], signal);
      await engine(box, ['cp', copy, `${box.name}:${path}`], signal);
      await removeTree(copy);
    }
  } finally {
    await engine(box, removeArguments(program, [pristine]), AbortSignal.timeout(REMOVE_MS));
  }
  return changed;
}

const REMOVE_MS = 60_000;

/** Reads the lines of `diff`: a letter (A, C or D) and a path. */
export function changedPrograms(diff: string): readonly ChangedProgram[] {
  return diff.split('\n').flatMap((line) => {
    const [, kind, path] = /^([ACD]) (\/.*)$/.exec(line) ?? [];
    return path !== undefined && FIRST.test(path) ? [{path, isNew: kind === 'A'}] : [];
  });
}

/** The shells, wherever PATH finds them, and what the loader would put into every program (ld.so(8)). */
const FIRST = /^\/(?:etc\/ld\.so\.preload|(?:usr\/)?(?:local\/)?s?bin\/(?:bash|sh|dash|env))$/;
