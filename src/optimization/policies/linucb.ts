import {armOf, highest, latencyPenalty, learn, meanText, type Arms} from './arms.ts';
import {DIMENSIONS} from './feature-vector.ts';
import type {Choice, FeatureVector, Policy, Selection} from './policy.ts';

/** For each action a ridge regression of its rewards on the features; the arms are for `why` and for latencies. */
export interface LinearState {
  readonly arms: Arms;
  readonly models: ReadonlyMap<string, LinearModel>;
}

interface LinearModel {
  /** (λI + Σ x xᵀ)⁻¹, row by row. */
  readonly inverse: Float64Array;
  /** Σ reward · x. */
  readonly sums: Float64Array;
}

/**
 * LinUCB with separate models (Li and others, "A contextual-bandit approach to personalized news article recommendation", 2010): the action whose
 * expected reward for these features, plus {@link WIDTH} standard deviations, is highest.
 */
export function linUcb({latencyWeight}: {readonly latencyWeight: number}): Policy<LinearState> {
  const choose = ({arms, models}: LinearState, choice: Omit<Choice, 'random'>, width: number): Selection => {
    const {action, score} = highest(choice.actions, (name) => {
      const {mean, deviation} = predict(models.get(name), choice.vector);
      return mean + width * deviation - latencyPenalty(armOf(arms, name), choice, latencyWeight);
    });
    const {mean} = predict(models.get(action), choice.vector);
    const limit = width === 0 ? '' : `, up to ${score.toFixed(2)}`;
    return {action, why: `expects ${mean.toFixed(2)}${limit} for this task; in all ${meanText(armOf(arms, action))}`};
  };
  return {
    start: {arms: new Map(), models: new Map()},
    best: (state, choice) => choose(state, choice, 0),
    select: (state, choice) => choose(state, choice, WIDTH),
    update({arms, models}, outcome) {
      const model = updated(models.get(outcome.action), outcome.vector, outcome.reward);
      return {
        arms: learn(arms, outcome, {discount: 1, window: Infinity}),
        models: new Map(models).set(outcome.action, model),
      };
    },
  };
}

const WIDTH = 0.8;
const RIDGE = 1;

function predict(model: LinearModel | undefined, vector: FeatureVector): {readonly mean: number; readonly deviation: number} {
  if (model === undefined) return {mean: 0, deviation: Math.sqrt(dot(vector, (at) => valueAt(vector, at)) / RIDGE)};
  const image = imageOf(model.inverse, vector);
  const mean = model.sums.reduce((total, sum, at) => total + sum * numberAt(image, at), 0);
  return {
    mean,
    deviation: Math.sqrt(
      Math.max(
        0,
        dot(vector, (at) => numberAt(image, at)),
      ),
    ),
  };
}

/** The inverse after one more outcome, by the formula of Sherman and Morrison. */
function updated(model: LinearModel | undefined, vector: FeatureVector, reward: number): LinearModel {
  const inverse = model === undefined ? ridgeInverse() : model.inverse.slice();
  const sums = model === undefined ? new Float64Array(DIMENSIONS) : model.sums.slice();
  const image = imageOf(inverse, vector);
  const scale = 1 + dot(vector, (at) => numberAt(image, at));
  for (const [at, value] of vector) sums[at] = numberAt(sums, at) + reward * value;
  for (let row = 0; row < DIMENSIONS; row += 1) {
    const factor = numberAt(image, row) / scale;
    if (factor === 0) continue;
    const start = row * DIMENSIONS;
    for (let column = 0; column < DIMENSIONS; column += 1) {
      inverse[start + column] = numberAt(inverse, start + column) - factor * numberAt(image, column);
    }
  }
  return {inverse, sums};
}

/** The matrix times the vector; the matrix is symmetric, so that its rows are its columns. */
function imageOf(matrix: Float64Array, vector: FeatureVector): Float64Array {
  const image = new Float64Array(DIMENSIONS);
  for (const [row, value] of vector) {
    const start = row * DIMENSIONS;
    for (let column = 0; column < DIMENSIONS; column += 1)
      image[column] = numberAt(image, column) + value * numberAt(matrix, start + column);
  }
  return image;
}

function dot(vector: FeatureVector, other: (at: number) => number): number {
  return vector.reduce((total, [at, value]) => total + value * other(at), 0);
}

function valueAt(vector: FeatureVector, at: number): number {
  return vector.find(([index]) => index === at)?.[1] ?? 0;
}

function numberAt(values: Float64Array, at: number): number {
  return values[at] ?? 0;
}

function ridgeInverse(): Float64Array {
  const inverse = new Float64Array(DIMENSIONS * DIMENSIONS);
  for (let row = 0; row < DIMENSIONS; row += 1) inverse[row * DIMENSIONS + row] = 1 / RIDGE;
  return inverse;
}
