import {assertCanChoose, AUTO_MODEL} from '../settings/auto-model.ts';
import type {OpenThreadOptions} from '../thread/thread-options.ts';
import type {ModelChoice} from './model-choice.ts';

/** Options of a thread whose model is certain. */
export type ChosenOptions = OpenThreadOptions & {readonly choice: ModelChoice | undefined};

/**
 * Replaces `model = "auto"` by one of the models that the person allows, once a thread: a resumed one keeps its model. Nothing of the
 * optimization is loaded for any other model. Throws CONFIG if there is nothing to choose from.
 */
export async function withChosenModel(options: OpenThreadOptions): Promise<ChosenOptions> {
  const {session} = options;
  if (session.settings.model !== AUTO_MODEL) return {...options, choice: undefined};
  assertCanChoose(session.settings);
  const {chooseModel} = await import('./choose-model.ts');
  const {model, ...choice} = await chooseModel(options);
  return {...options, session: {...session, settings: {...session.settings, model}}, choice};
}

/** Learns how a thread ended that is closed by now, if its model was chosen; loads nothing otherwise. Returns a notice if that failed. */
export async function learnEnding({session, choice}: ChosenOptions, threadId: string): Promise<readonly string[]> {
  if (choice?.choice === undefined) return [];
  const {learnOutcome} = await import('./learn-outcome.ts');
  return await learnOutcome(session, threadId);
}
