import {describe, expect, it, onTestFinished} from 'vitest';
import {openLocalEngine} from '../../../src/lab/engine/local/local-engine.ts';
import {byBaseRate, earlierRates} from '../../../src/lab/self-play/curriculum.ts';
import type {RunPlan} from '../../../src/lab/run/run-plan.ts';
import type {RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import type {Suite} from '../../../src/lab/suite/task.ts';
import {scratch} from '../../support/scratch.ts';
import {never, resultFor, workAll} from '../engine/rollouts.ts';

describe('byBaseRate', () => {
  it('begins with tasks that are solved sometimes, then unknown ones, then those that are always or never solved', () => {
    const rates = new Map([
      ['always', {judged: 4, passed: 4}],
      ['never', {judged: 4, passed: 0}],
      ['tenth', {judged: 10, passed: 1}],
      ['half', {judged: 4, passed: 2}],
      ['not judged', {judged: 0, passed: 0}],
    ]);
    expect(byBaseRate(['always', 'unknown', 'never', 'not judged', 'tenth', 'half'], (task) => rates.get(task))).toEqual([
      'half',
      'tenth',
      'unknown',
      'not judged',
      'always',
      'never',
    ]);
  });
});

/** `task@digest`, with how each attempt ended. */
type Outcomes = Readonly<Record<string, readonly RolloutResult['outcome'][]>>;

describe('earlierRates', () => {
  const suite = {folder: '/suite', tasks: ['a', 'b', 'c'].map((id) => ({id, digest: `${id}1`}))} as unknown as Suite;
  const planOf = (name: string, over: Partial<RunPlan> = {}) => ({name, suite: '/suite', ...over}) as RunPlan;

  /** The rates after these runs, from the engine that stored their results. */
  async function ratesAfter(runs: Readonly<Record<string, Outcomes>>, plans: readonly RunPlan[]): Promise<unknown> {
    const engine = openLocalEngine({folder: await scratch(), retryDelaysMs: [1]});
    onTestFinished(() => engine.close());
    for (const [run, outcomes] of Object.entries(runs)) {
      const planned = Object.entries(outcomes).flatMap(([name, ends]) => {
        const [task = '', taskDigest = ''] = name.split('@');
        return ends.map((outcome, at) => ({
          rollout: {key: {run, task, model: 'script', toolset: 'fettle', attempt: at + 1}, taskDigest},
          outcome,
        }));
      });
      const rollouts = planned.map(({rollout}) => rollout);
      await engine.enqueue({name: run, settings: {}}, rollouts, never);
      const outcomeOf = ({key}: (typeof rollouts)[number]) =>
        planned.find(({rollout}) => rollout.key.task === key.task && rollout.key.attempt === key.attempt)?.outcome ?? 'infrastructure';
      const coordinator = await engine.coordinate(run, never);
      await workAll(engine, async (rollout) => resultFor(rollout, {outcome: outcomeOf(rollout)}), {until: run});
      await coordinator.release();
    }
    return Object.fromEntries(await earlierRates(engine, {plans, suite}, never));
  }

  it('counts the judged results of all runs of the suite by task', async () => {
    const runs: Readonly<Record<string, Outcomes>> = {
      one: {'a@a1': ['passed', 'failed'], 'b@b1': ['failed']},
      two: {'a@a1': ['passed']},
      three: {'c@c1': ['passed']},
    };
    expect(
      await ratesAfter(
        runs,
        ['one', 'two'].map((name) => planOf(name)),
      ),
    ).toEqual({
      a: {judged: 3, passed: 2},
      b: {judged: 1, passed: 0},
    });
  });

  it('leaves out other suites, self-play, tasks that have changed since or are gone, and failures of the infrastructure', async () => {
    const selfPlay = {sources: ['a'], attempts: 1, isAgentic: false};
    const runs: Readonly<Record<string, Outcomes>> = {
      other: {'a@a1': ['passed']},
      play: {'b@b1': ['passed']},
      own: {'a@a0': ['passed'], 'b@b1': ['failed'], 'c@c1': ['infrastructure'], 'd@d1': ['passed']},
    };
    const plans = [planOf('other', {suite: '/elsewhere'}), planOf('play', {selfPlay}), planOf('own')];
    expect(await ratesAfter(runs, plans)).toEqual({b: {judged: 1, passed: 0}});
  });
});
