import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {TaskStep} from '../suite/task.ts';
import {keepPaidWork, restoreProgress, storeProgress} from './progress.ts';
import {judgeAgent} from './agent/judge-agent.ts';
import {keepArtifacts, stepArtifact} from './keep-artifacts.ts';
import {costOf} from './rollout-result.ts';
import {prepareStep, prepareTree} from './tree/prepare-tree.ts';
import type {FinishedStep, RolloutCall} from './rollout-run.ts';
import {runAgentStep} from './run-agent-step.ts';
import {GIT_CONFIG} from './tree/git-variables.ts';
import {restoreTree} from './tree/tree-archive.ts';
import {verifyStep} from './verify/verify-step.ts';

/** Runs and judges the steps of a task, or those that are left. Returns the reason why the rollout proves nothing, or undefined. */
export async function runSteps(call: RolloutCall, signal: AbortSignal): Promise<string | undefined> {
  const {request, place, run} = call;
  const before = await restoreProgress(call, signal);
  if (before === undefined) await prepareTree(request, place, signal);
  else Object.assign(run, before, {keptUsd: costOf(before.steps) ?? undefined});
  await writeFile(join(place.home, '.gitconfig'), GIT_CONFIG);
  for (const [index, step] of request.task.steps.entries()) {
    const known = run.steps[index];
    const finished = known ?? (await agentStep(call, step, signal));
    const end = judgeAgent(finished.agent);
    if (end.kind === 'infrastructure') return end.note;
    const isStored = known !== undefined || (await keepPaidWork(signal, async (keeping) => await storeProgress(call, keeping)));
    const {reward} = finished.judgement ?? (await judgeStep(call, {step, finished, index}, signal));
    // Of a tree that cannot be stored and brought back, the next step would see the tests.
    if (!goesOn(call, {index, reward}) || !isStored || !(await restoreTree(place, signal))) break;
  }
  return undefined;
}

/** True if there is a next step, and this one has its least reward. */
function goesOn({request: {task}}: RolloutCall, {index, reward}: {index: number; reward: number}): boolean {
  return index < task.steps.length - 1 && reward >= (task.steps[index]?.minReward ?? 0);
}

async function agentStep({request, place, run}: RolloutCall, step: TaskStep, signal: AbortSignal): Promise<FinishedStep> {
  await prepareStep(request, place, {step, signal});
  const finished = await runAgentStep({request, place, run}, step, signal);
  run.steps = [...run.steps, finished];
  return finished;
}

interface Judged {
  readonly step: TaskStep;
  readonly finished: FinishedStep;
  readonly index: number;
}

async function judgeStep(
  {request, place, run}: RolloutCall,
  {step, finished, index}: Judged,
  signal: AbortSignal,
): Promise<{reward: number}> {
  const judgement = await verifyStep(request, place, {step, signal});
  run.steps = run.steps.with(index, {...finished, judgement});
  const putBack = finished.putBack.map((path) => `[put back as it was before the agent: ${path}]\n`).join('');
  const said = Buffer.from(`${putBack}${judgement.output}\n`);
  await keepArtifacts({request, place, run}, {[stepArtifact('verify.txt', step, request)]: said}, signal);
  return judgement;
}
