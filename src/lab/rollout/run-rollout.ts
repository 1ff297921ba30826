import {FettleError, toFettleError} from '../../base/errors.ts';
import {runStepsInContainer} from './container/run-steps-in-container.ts';
import {removeTree} from './tree/remove-tree.ts';
import type {RolloutResult} from './rollout.ts';
import type {RolloutRequest} from './rollout-request.ts';
import {rolloutResult} from './rollout-result.ts';
import type {RolloutRun} from './rollout-run.ts';
import {runSteps} from './run-steps.ts';
import {makeScratchPlace, type ScratchPlace} from './place/scratch-place.ts';

/**
 * Runs one rollout: the starting tree in a scratch folder, the agent in isolation, then the verification where the agent cannot reach. Whatever goes
 * wrong is a result; only a cancelled rollout throws, CANCELLED. One whose agent has ended before, as the artefacts show, goes on at the
 * verification.
 */
export async function runRollout(request: RolloutRequest, signal: AbortSignal): Promise<RolloutResult> {
  const run: RolloutRun = {startedAt: Date.now(), steps: [], artifacts: {}};
  let place: ScratchPlace | undefined;
  try {
    signal.throwIfAborted();
    assertPlace(request);
    place = await makeScratchPlace(request);
    const carryOut = request.task.place.container === undefined ? runSteps : runStepsInContainer;
    run.infrastructure = await carryOut({request, place, run}, signal);
  } catch (thrown) {
    const error = toFettleError(thrown);
    if (signal.aborted) throw toFettleError(error.code === 'CANCELLED' ? error : signal.reason);
    run.infrastructure = error.message;
  } finally {
    if (place !== undefined) await removeTree(place.folder);
  }
  return rolloutResult(request, run);
}

/** Throws UNAVAILABLE for a place that this machine cannot make. */
function assertPlace({task, isolation}: RolloutRequest): void {
  if (task.place.kind === 'folder' || task.place.container !== undefined || isolation?.canShow === true) return;
  const message = `The task ${task.id} expects its files in /app, which takes isolation by bubblewrap.`;
  throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Run it on Linux with isolation.'});
}
