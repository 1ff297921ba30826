/** How often each action succeeds. `after`: from choice {@link DRIFT_AT} on. */
export interface RewardTable {
  readonly name: string;
  readonly means: readonly number[];
  readonly after?: readonly number[];
}

/** How often each action succeeds for each kind of task; tasks are drawn alike. */
export interface TaskTable {
  readonly name: string;
  readonly meansByTask: readonly (readonly number[])[];
}

export const HORIZON = 500;
export const DRIFT_AT = 500;

/** The hardest tables within the bounds: all others are equal, just 0.15 below the best, at several heights. */
export function hardTables(): readonly RewardTable[] {
  return [3, 5, 8].flatMap((arms) =>
    [0.2, 0.5, 0.65, 0.9].map((best) => ({
      name: `${arms} arms, ${best} and ${round(best - 0.15)}`,
      means: [...equal(arms - 1, best - 0.15), best],
    })),
  );
}

/** Tables of 3 to 8 arms whose best is at least 0.15 above the mean of the others. */
export function randomTables(count: number, random: () => number): readonly RewardTable[] {
  return draw(count, () => {
    const means = Array.from({length: 3 + Math.floor(random() * 6)}, random);
    return gapOf(means) < 0.15 ? undefined : named(means);
  });
}

/** Tables of 3 to 5 arms where another arm becomes the best; before and after, the best is 0.3 or more above the next. */
export function driftingTables(count: number, random: () => number): readonly RewardTable[] {
  return draw(count, () => {
    const arms = 3 + Math.floor(random() * 3);
    const [means, after] = [Array.from({length: arms}, random), Array.from({length: arms}, random)];
    if (Math.min(leadOf(means), leadOf(after)) < 0.3 || bestOf(means) === bestOf(after)) return undefined;
    return {...named(means), after};
  });
}

/** The hardest drifts: equal others, 0.3 below the best, which moves; and one where the old best stays as it was. */
export function hardDrifts(): readonly RewardTable[] {
  const moved = [3, 5].flatMap((arms) =>
    [0.35, 0.65, 0.95].map((best) => {
      const [first, ...others] = [best, ...equal(arms - 1, best - 0.3)];
      return {
        name: `${arms} arms, ${best} and ${round(best - 0.3)}, moved`,
        means: [first ?? 0, ...others],
        after: [...others, first ?? 0],
      };
    }),
  );
  return [...moved, {name: '4 arms, another rises', means: [0.5, 0.2, 0.2, 0.2], after: [0.5, 0.2, 0.8, 0.2]}];
}

/** Tables of 2 to 4 kinds of tasks and 3 to 5 arms, where the best arm of each kind is 0.3 above the mean of the others. */
export function taskTables(count: number, random: () => number): readonly TaskTable[] {
  return draw(count, () => {
    const [tasks, arms] = [2 + Math.floor(random() * 3), 3 + Math.floor(random() * 3)];
    const meansByTask = Array.from({length: tasks}, () => Array.from({length: arms}, random));
    const isClear = meansByTask.every((means) => gapOf(means) >= 0.3);
    const differs = new Set(meansByTask.map(bestOf)).size === tasks || tasks > arms;
    return isClear && differs ? {name: `${tasks} kinds of tasks, ${arms} arms`, meansByTask} : undefined;
  });
}

export function bestOf(means: readonly number[]): number {
  return means.indexOf(Math.max(...means));
}

/** How far the best arm is above the mean of the others. */
function gapOf(means: readonly number[]): number {
  const best = Math.max(...means);
  return best - (sum(means) - best) / (means.length - 1);
}

/** How far the best arm is above the next. */
function leadOf(means: readonly number[]): number {
  const [best = 0, next = 0] = means.toSorted((a, b) => b - a);
  return best - next;
}

function draw<Table>(count: number, make: () => Table | undefined): readonly Table[] {
  const made: Table[] = [];
  while (made.length < count) {
    const table = make();
    if (table !== undefined) made.push(table);
  }
  return made;
}

function named(means: readonly number[]): RewardTable {
  return {name: means.map((mean) => mean.toFixed(2)).join(' '), means};
}

function equal(count: number, mean: number): readonly number[] {
  return Array.from({length: count}, () => Math.max(0, round(mean)));
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
