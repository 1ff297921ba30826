import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import {keymapProblemAction, keymapProblemText} from '../keys/keymap-problem-text.ts';
import {createKeymap} from '../keys/keymap.ts';

/** Lists the problems of a person's key bindings. */
export function problemsOfKeys(
  keys: SessionSettings['settings']['terminal']['keys'],
): readonly {readonly action: string; readonly text: string}[] {
  return createKeymap(keys).problems.map((problem) => ({action: keymapProblemAction(problem), text: keymapProblemText(problem)}));
}
