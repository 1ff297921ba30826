import {toFettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import {findSession} from '../../sessions/session-files.ts';
import {readCheckpoints} from '../../workspace/checkpoints/read-checkpoints.ts';
import {undoState} from '../../workspace/checkpoints/restore/undo-chain.ts';
import type {FinishedRun} from '../../optimization/rewards/judge-run.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {checkpointPlace} from '../undo/checkpoint-place.ts';
import {newestRun, type NewestRun} from './newest-run.ts';
import {openOptimizer} from './open-optimizer.ts';

/**
 * Learns how the newest run of a session ended, for what was chosen automatically: its model, its toolset, its edit dialect. An ending that nothing
 * proves teaches nothing. The outcome of a resumed session replaces the one before, and so does that of a run whose last changes a person took back.
 * Returns a notice if it could not be learned; the run itself is not touched by that.
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
  const made = run === undefined ? [] : madeIn(run);
  if (run === undefined || made.length === 0) return;
  const {events} = run;
  const finished = {events, ...restoredState(session, {threadId, since: run.startedAt})};
  const optimizer = await openOptimizer({session});
  try {
    const verdict = optimizer.judgeRun(finished)?.verdict;
    if (verdict === undefined || verdict === 'unproven') return;
    for (const {action, choice} of made) {
      const signal = optimizer.rewardSignalOf(action, finished);
      if (signal !== undefined) optimizer.applyReward(signal, {choice});
    }
  } finally {
    optimizer.close();
  }
}

/** Lists what was chosen automatically for a run, with the ids of the choices. */
function madeIn({model, toolset, dialect, choices}: NewestRun): readonly {readonly action: string; readonly choice: string}[] {
  const made = [
    {action: model, choice: choices.model},
    {action: toolset, choice: choices.toolset},
    {action: dialect, choice: choices.edit},
  ];
  return made.flatMap(({action, choice}) => (action === undefined || choice === undefined ? [] : [{action, choice}]));
}

/** Finds out if a person took back the last turn of the run that changed something, or took it back and then brought it back. */
function restoredState(
  session: SessionSettings,
  {threadId, since}: {readonly threadId: string; readonly since: string},
): Pick<FinishedRun, 'undone' | 'redone'> {
  const {place} = checkpointPlace(session, session.cwd);
  const own = readCheckpoints(place).filter((checkpoint) => checkpoint.session === threadId);
  const at = own.findLastIndex(({kind, startedAt}) => kind === 'turn' && startedAt >= since);
  const last = own[at];
  if (last === undefined) return {};
  if (undoState(own).undone.has(last.id)) return {undone: true};
  return {redone: own.slice(at + 1).some(({kind, target}) => kind === 'restore' && target === last.id)};
}
