import type {RolloutResult} from '../rollout/rollout.ts';
import type {SuiteTask} from '../suite/task.ts';
import type {TaskJudgement} from './judge-task.ts';

/**
 * The rollouts of promoted patches and tests, under the name of their task of the suite: exports divide by that, so that a task that is tested on is
 * never trained on. The role is the name of the step.
 */
export function promotedResults(judgements: readonly TaskJudgement[], results: readonly RolloutResult[]): readonly RolloutResult[] {
  return judgements.flatMap(({task, work, promoted}) => {
    if (promoted === undefined) return [];
    const fix = {role: 'fix', attempt: work.patches[promoted.patch]?.attempt};
    const tests = promoted.tests.map((test) => ({role: 'test', attempt: work.tests[test]?.attempt}));
    return [fix, ...tests].flatMap(({role, attempt}) =>
      results
        .filter(({key}) => key.task === `${task}.${role}.${attempt}`)
        .map((result) => ({...renamed(result, {task: work.task, role, attempt: attempt ?? 0}), hiddenPassed: promoted.isRight})),
    );
  });
}

function renamed(result: RolloutResult, {task, role, attempt}: {task: SuiteTask; role: string; attempt: number}): RolloutResult {
  const artifacts = Object.fromEntries(Object.entries(result.artifacts).map(([name, place]) => [`${role}/${name}`, place]));
  return {
    ...result,
    key: {...result.key, task: task.id, attempt},
    taskDigest: task.digest,
    artifacts,
    steps: [{name: role, reward: result.reward}],
  };
}
