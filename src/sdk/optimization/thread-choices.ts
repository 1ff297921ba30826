import type {EditDialect} from '../../config/settings.ts';
import type {ThreadStarted} from '../../protocol/events.ts';

/** An automatic choice, and its reason. */
export interface MadeChoice {
  /** One short line for a status line and the log. */
  readonly why: string;
  /** Identifies the choice, for its outcome; absent while learning is frozen. */
  readonly choice?: string | undefined;
}

/** The automatic choices of a thread; those that a person made are absent. */
export interface ThreadChoices {
  readonly model?: MadeChoice | undefined;
  readonly toolset?: (MadeChoice & {readonly name: string}) | undefined;
  readonly edit?: (MadeChoice & {readonly dialect: EditDialect}) | undefined;
  /** Notices for the person: the choices, and the candidates that were left out. */
  readonly notices: readonly string[];
}

export const NO_CHOICES: ThreadChoices = {notices: []};

/** The parts of `thread.started` that say what was chosen and why. */
export function choiceEvents({
  model,
  toolset,
  edit,
}: ThreadChoices): Pick<ThreadStarted, 'model_choice' | 'toolset_choice' | 'edit_choice'> {
  return {
    ...(model === undefined ? {} : {model_choice: logged(model)}),
    ...(toolset === undefined ? {} : {toolset_choice: logged(toolset)}),
    ...(edit === undefined ? {} : {edit_choice: {dialect: edit.dialect, ...logged(edit)}}),
  };
}

/** One short line for each choice of tools, with its reason. */
export function toolReasons({toolset, edit}: ThreadChoices): readonly string[] {
  return [
    ...(toolset === undefined ? [] : [`toolset ${toolset.name}: ${toolset.why}`]),
    ...(edit === undefined ? [] : [`edit dialect ${edit.dialect}: ${edit.why}`]),
  ];
}

function logged({why, choice}: MadeChoice): MadeChoice {
  return {why, ...(choice === undefined ? {} : {choice})};
}
