import {createHash} from 'node:crypto';

export const SPLITS = ['train', 'validation', 'test'] as const;
export type Split = (typeof SPLITS)[number];

/** Parts of the tasks, 0 to 1 together; the rest is for training. */
export interface SplitParts {
  readonly validation: number;
  readonly test: number;
}

export const DEFAULT_PARTS: SplitParts = {validation: 0.05, test: 0.05};

/**
 * The split of a task, by a hash of its id: all of its rollouts are in one, in each export, on each machine, whatever else is exported. A task
 * that is tested on is never trained on.
 */
export function splitOf(task: string, {validation, test}: SplitParts): Split {
  const place = createHash('sha256').update(`split:${task}`).digest().readUIntBE(0, 6) / 2 ** 48;
  if (place < test) return 'test';
  return place < test + validation ? 'validation' : 'train';
}
