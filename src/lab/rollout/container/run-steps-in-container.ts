import {keepArtifacts, stepArtifact} from '../keep-artifacts.ts';
import {judgeAgent} from '../agent/judge-agent.ts';
import {keepPaidWork} from '../progress.ts';
import type {FinishedStep, RolloutCall} from '../rollout-run.ts';
import type {TaskImage} from '../../container/images.ts';
import type {TaskStep} from '../../suite/task.ts';
import {boxName, containersOf, removeBox, startBox, type Box} from './box.ts';
import {restoreBoxProgress, storeBoxProgress, storedImage} from './box-progress.ts';
import {agentStepIn, prepareStepIn} from './step-in-container.ts';
import {verifyIn} from './verify-in-container.ts';

/**
 * Runs and judges the steps of a task in its container, or those that are left, as `run-steps.ts` does in a scratch folder. Returns the reason why the
 * rollout proves nothing, or undefined. The container is gone when it returns, whatever happens.
 */
export async function runStepsInContainer(call: RolloutCall, signal: AbortSignal): Promise<string | undefined> {
  const {request, run} = call;
  const containers = containersOf(request);
  const image = await containers.images.of(request.task, signal);
  const before = await restoreBoxProgress(call, signal);
  if (before !== undefined) Object.assign(run, before);
  try {
    return await runSteps(call, {image, isRestored: before !== undefined}, signal);
  } finally {
    // Also after Ctrl-C, so not with the signal of the rollout. One that cannot be removed now is by the next run.
    await removeBox({containers, name: boxName(request)}, AbortSignal.timeout(REMOVE_MS)).catch(() => undefined);
  }
}

interface Beginning {
  readonly image: TaskImage;
  /** True: the container begins as an earlier attempt has stored it. */
  readonly isRestored: boolean;
}

async function runSteps(call: RolloutCall, {image, isRestored}: Beginning, signal: AbortSignal): Promise<string | undefined> {
  const {request, place, run} = call;
  const stored = storedImage(request);
  let box = await startBox({request, place, image, stored: isRestored ? stored : undefined}, signal);
  for (const [index, step] of request.task.steps.entries()) {
    const known = run.steps[index];
    const finished = known ?? (await runOneStep(call, {box, step, index}, signal));
    const end = judgeAgent(finished.agent);
    if (end.kind === 'infrastructure') return end.note;
    const isStored = known !== undefined || (await keepPaidWork(signal, async (keeping) => await storeBoxProgress(call, box, keeping)));
    const {reward} = finished.judgement ?? (await judgeStep(call, {box, step, index, finished}, signal));
    const isLast = index === request.task.steps.length - 1;
    if (isLast || reward < (step.minReward ?? 0) || !isStored) return undefined;
    // In the container that was judged, the next step would see the tests. What was judged before is not in it.
    if (finished.judgement === undefined) box = await startBox({request, place, image, stored}, signal);
  }
  return undefined;
}

const REMOVE_MS = 60_000;

interface BoxedStep {
  readonly box: Box;
  readonly step: TaskStep;
  readonly index: number;
}

async function runOneStep(call: RolloutCall, boxed: BoxedStep, signal: AbortSignal): Promise<FinishedStep> {
  await prepareStepIn(call, boxed, signal);
  const finished = await agentStepIn(call, boxed, signal);
  call.run.steps = [...call.run.steps, finished];
  return finished;
}

async function judgeStep(
  call: RolloutCall,
  {box, step, index, finished}: BoxedStep & {readonly finished: FinishedStep},
  signal: AbortSignal,
): Promise<{readonly reward: number}> {
  const {request, run} = call;
  const judgement = await verifyIn(request, box, {step, signal});
  run.steps = run.steps.with(index, {...finished, judgement});
  const putBack = finished.putBack.map((path) => `[put back as it was before the agent: ${path}]\n`).join('');
  await keepArtifacts(call, {[stepArtifact('verify.txt', step, request)]: Buffer.from(`${putBack}${judgement.output}\n`)}, signal);
  return judgement;
}
