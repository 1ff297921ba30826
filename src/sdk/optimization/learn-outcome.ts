import {toFettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import {findSession} from '../../sessions/session-files.ts';
import {readCheckpoints} from '../../workspace/checkpoints/read-checkpoints.ts';
import {undoState} from '../../workspace/checkpoints/restore/undo-chain.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {checkpointPlace} from '../undo/checkpoint-place.ts';
import {newestRun} from './newest-run.ts';
import {openOptimizer} from './open-optimizer.ts';

/**
 * Learns how the newest run of a session ended, if `model = "auto"` chose its model. An ending that nothing proves teaches nothing. The outcome of
 * a resumed session replaces the one before, and so does that of a run whose last changes a person took back. Returns a notice if
 * it could not be learned; the run itself is not touched by that.
 */
export async function learnOutcome(session: SessionSettings, threadId: string): Promise<readonly string[]> {
  try {
    await learn(session, threadId);
    return [];
  } catch (thrown) {
    return [visibleText(`The outcome was not learned: ${toFettleError(thrown).message}`)];
  }
}

async function learn(session: SessionSettings, threadId: string): Promise<void> {
  const run = await newestRun(findSession(session.paths.stateDir, threadId).file);
  if (run?.choice === undefined) return;
  const {model, choice, events} = run;
  const finished = {events, undone: isUndone(session, {threadId, since: run.startedAt})};
  const optimizer = await openOptimizer({session});
  try {
    const signal = optimizer.rewardSignalOf(model, finished);
    if (signal === undefined || optimizer.judgeRun(finished)?.verdict === 'unproven') return;
    optimizer.applyReward(signal, {choice});
  } finally {
    optimizer.close();
  }
}

/** True if the last turn of the run that changed something is undone now. */
function isUndone(session: SessionSettings, {threadId, since}: {readonly threadId: string; readonly since: string}): boolean {
  const {place} = checkpointPlace(session, session.cwd);
  const own = readCheckpoints(place).filter((checkpoint) => checkpoint.session === threadId);
  const last = own.findLast(({kind, startedAt}) => kind === 'turn' && startedAt >= since);
  return last !== undefined && undoState(own).undone.has(last.id);
}
