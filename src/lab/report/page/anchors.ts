import type {RolloutKey, RolloutResult} from '../../rollout/rollout.ts';
import {variantName} from '../make-report.ts';
import type {Report} from '../report.ts';

/** The parts of the page that links lead to. */
export interface Anchors {
  /** Those that have details, by the name of the task. */
  readonly tasks: ReadonlyMap<string, TaskAnchor>;
  /** Ids of rollouts, by {@link cellName}. */
  readonly cells: ReadonlyMap<string, string>;
}

export interface TaskAnchor {
  readonly id: string;
  /** By variant and attempt. */
  readonly rollouts: readonly {readonly id: string; readonly result: RolloutResult}[];
}

/** Tasks whose rollouts the page has in detail; the rest is in `fettle lab show`. */
const MOST_TASKS = 500;
const MOST_ROLLOUTS = 3000;

/** Takes tasks in the order of the plan, as many as a page can hold. A cell leads to its first attempt that failed, or to its first. */
export function anchorsOf({tasks}: Report, results: readonly RolloutResult[]): Anchors {
  const byTask = Map.groupBy(results, ({key}) => key.task);
  const anchors = new Map<string, TaskAnchor>();
  const cells = new Map<string, string>();
  let count = 0;
  for (const {id: task} of tasks) {
    const ones = byTask.get(task) ?? [];
    count += ones.length;
    if (anchors.size >= MOST_TASKS || count > MOST_ROLLOUTS) break;
    if (ones.length === 0) continue;
    const id = `task-${anchors.size + 1}`;
    const rollouts = ones.toSorted((a, b) => compare(a.key, b.key)).map((result, index) => ({id: `${id}-${index + 1}`, result}));
    anchors.set(task, {id, rollouts});
    for (const [variant, own] of Map.groupBy(rollouts, ({result}) => variantName(result.key))) {
      const target = own.find(({result}) => result.outcome === 'failed') ?? own[0];
      if (target !== undefined) cells.set(cellName(task, variant), target.id);
    }
  }
  return {tasks: anchors, cells};
}

export function cellName(task: string, variant: string): string {
  return JSON.stringify([task, variant]);
}

function compare(a: RolloutKey, b: RolloutKey): number {
  const [one, other] = [variantName(a), variantName(b)];
  return one === other ? a.attempt - b.attempt : one < other ? -1 : 1;
}
