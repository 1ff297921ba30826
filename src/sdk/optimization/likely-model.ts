import {findSession} from '../../sessions/session-files.ts';
import {assertCanChoose} from '../settings/auto-choices.ts';
import {AUTO_MODEL, MODEL_DECISION} from '../settings/auto-model.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {newestRun} from './newest-run.ts';
import {openOptimizer} from './open-optimizer.ts';

/** Settings with a model that is certain, and a notice where it was not. */
export interface LikelyModel {
  readonly session: SessionSettings;
  readonly notices: readonly string[];
}

/**
 * Replaces `model = "auto"` by the model of a session, else by the one that would most likely be chosen next, for figures that depend on a model. Nothing
 * is chosen. Throws CONFIG if there is nothing to choose from.
 */
export async function withLikelyModel(session: SessionSettings, sessionId: string | undefined): Promise<LikelyModel> {
  const {settings, paths} = session;
  if (settings.model !== AUTO_MODEL) return {session, notices: []};
  assertCanChoose(settings);
  const run = sessionId === undefined ? undefined : await newestRun(findSession(paths.stateDir, sessionId).file);
  const model = run?.model ?? (await likeliest(session));
  const reason = run === undefined ? 'which would most likely be chosen next' : 'that of the session';
  return {session: {...session, settings: {...settings, model}}, notices: [`model = "auto": the figures are of ${model}, ${reason}.`]};
}

async function likeliest(session: SessionSettings): Promise<string> {
  const {models, explore_share: exploreShare} = session.settings.optimization;
  const optimizer = await openOptimizer({session});
  try {
    const {action = ''} = optimizer.explain({decision: MODEL_DECISION, exploreShare}, [...new Set(models)]) ?? {};
    return action;
  } finally {
    optimizer.close();
  }
}
