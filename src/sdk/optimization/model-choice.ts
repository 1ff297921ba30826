import type {ThreadStarted} from '../../protocol/events.ts';

/** The reason why `model = "auto"` chose a model. */
export interface ModelChoice {
  /** One short line for a status line and the log. */
  readonly why: string;
  /** Identifies the choice, for its outcome; absent while learning is frozen. */
  readonly choice?: string | undefined;
  /** Notices for the person: the choice, and the models that were left out. */
  readonly notices: readonly string[];
}

/** The part of `thread.started` that says why the model was chosen. */
export function choiceEvent(made: ModelChoice | undefined): Pick<ThreadStarted, 'model_choice'> {
  if (made === undefined) return {};
  const {why, choice} = made;
  return {model_choice: {why, ...(choice === undefined ? {} : {choice})}};
}
