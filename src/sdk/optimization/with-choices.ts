import {AUTO_MODEL, AUTO_TOOLS} from '../settings/auto-model.ts';
import type {OpenThreadOptions} from '../thread/thread-options.ts';
import {NO_CHOICES, type ThreadChoices} from './thread-choices.ts';

/** Options of a thread with its automatic choices. */
export type ChosenOptions = OpenThreadOptions & {readonly choices: ThreadChoices};

/**
 * Replaces `model = "auto"` by one of the models that the person allows, once a thread: a resumed one keeps its model. Nothing of the
 * optimization is loaded for any other model. Throws CONFIG if there is nothing to choose from.
 */
export async function withChosenModel(options: OpenThreadOptions): Promise<ChosenOptions> {
  const {session} = options;
  if (session.settings.model !== AUTO_MODEL) return {...options, choices: NO_CHOICES};
  const {chooseModel} = await import('./choose-model.ts');
  const {model, notices, ...made} = await chooseModel(options);
  return {...options, session: {...session, settings: {...session.settings, model}}, choices: {model: made, notices}};
}

/**
 * Replaces `toolset = "auto"` and `edit_dialect = "auto"` by candidates of the person, for a model that is certain. Nothing is loaded where neither is
 * set. Throws CONFIG if there is nothing to choose from.
 */
export async function withChosenTools<Options extends ChosenOptions>(options: Options): Promise<Options> {
  const {settings} = options.session;
  if (settings.toolset !== AUTO_TOOLS && settings.edit_dialect !== AUTO_TOOLS) return options;
  const {chooseTools} = await import('./choose-tools.ts');
  return {...options, ...(await chooseTools(options))};
}

/** Learns how a thread ended that is closed by now, if something of it was chosen; loads nothing otherwise. Returns a notice if that failed. */
export async function learnEnding({session, choices: {model, toolset, edit}}: ChosenOptions, threadId: string): Promise<readonly string[]> {
  if ([model, toolset, edit].every((made) => made?.choice === undefined)) return [];
  const {learnOutcome} = await import('./learn-outcome.ts');
  return await learnOutcome(session, threadId);
}
