import type {ThreadStarted} from '../../protocol/events.ts';
import {assertCanChoose, AUTO_MODEL} from '../settings/auto-model.ts';
import type {OpenThreadOptions} from '../thread/thread-options.ts';

/** The reason why `model = "auto"` chose a model. */
export interface ModelChoice {
  /** One short line for a status line and the log. */
  readonly why: string;
  /** Identifies the choice, for its outcome; absent while learning is frozen. */
  readonly choice?: string | undefined;
  /** Notices for the person: the choice, and the models that were left out. */
  readonly notices: readonly string[];
}

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

/** The part of `thread.started` that says why the model was chosen. */
export function choiceEvent(made: ModelChoice | undefined): Pick<ThreadStarted, 'model_choice'> {
  if (made === undefined) return {};
  const {why, choice} = made;
  return {model_choice: {why, ...(choice === undefined ? {} : {choice})}};
}
