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
  let [mean, variance] = [0, 0];
  for (const [row, value] of vector) {
    if (model === undefined) {
      variance += (value * value) / RIDGE;
      continue;
    }
    for (const [column, other] of vector) variance += value * other * (model.inverse[row * DIMENSIONS + column] ?? 0);
    for (let column = 0; column < DIMENSIONS; column += 1) {
      mean += value * (model.inverse[row * DIMENSIONS + column] ?? 0) * (model.sums[column] ?? 0);
    }
  }
  return {mean, deviation: Math.sqrt(Math.max(0, variance))};
}

/** The inverse after one more outcome, by the formula of Sherman and Morrison. */
function updated(model: LinearModel | undefined, vector: FeatureVector, reward: number): LinearModel {
  const inverse = model === undefined ? ridgeInverse() : model.inverse.slice();
  const sums = model === undefined ? new Float64Array(DIMENSIONS) : model.sums.slice();
  const image = new Float64Array(DIMENSIONS);
  for (const [column, value] of vector) {
    for (let row = 0; row < DIMENSIONS; row += 1) image[row] = (image[row] ?? 0) + value * (inverse[row * DIMENSIONS + column] ?? 0);
    sums[column] = (sums[column] ?? 0) + reward * value;
  }
  const scale = 1 + vector.reduce((total, [row, value]) => total + value * (image[row] ?? 0), 0);
  for (let row = 0; row < DIMENSIONS; row += 1) {
    const factor = (image[row] ?? 0) / scale;
    if (factor === 0) continue;
    for (let column = 0; column < DIMENSIONS; column += 1) {
      const at = row * DIMENSIONS + column;
      inverse[at] = (inverse[at] ?? 0) - factor * (image[column] ?? 0);
    }
  }
  return {inverse, sums};
}

function ridgeInverse(): Float64Array {
  const inverse = new Float64Array(DIMENSIONS * DIMENSIONS);
  for (let row = 0; row < DIMENSIONS; row += 1) inverse[row * DIMENSIONS + row] = 1 / RIDGE;
  return inverse;
}
