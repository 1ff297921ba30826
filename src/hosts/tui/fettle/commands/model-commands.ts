import {FettleError} from '../../../../base/errors.ts';
import {knownModels} from '../../../../models/catalog.ts';
import {openProvider} from '../../../../models/open-provider.ts';
import {listProviders} from '../../../../models/provider-entry.ts';
import type {Mode} from '../../../../policy/decision.ts';
import {assertCanChoose} from '../../../../sdk/settings/auto-choices.ts';
import {AUTO_MODEL} from '../../../../sdk/settings/auto-model.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {sandboxProfile} from '../../../../sdk/tools/open-command-sandbox.ts';
import type {PickerItem} from '../../host-adapter.ts';
import {modesOf} from '../permission-modes.ts';
import {text, type OwnCommand} from './session-command.ts';

/** Slash commands for the model and the mode of the session. */
export const MODEL_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'model',
    hint: '[PROVIDER/MODEL]',
    description: 'switch to another model',
    whileWorking: 'bare',
    async run({conversation}, typed, signal) {
      const {settings, thread} = conversation;
      if (typed === '') return {type: 'pick', title: `Model (now ${thread.model})`, items: modelsOf(settings), current: thread.model};
      // A name that means nothing is refused before anything is closed.
      if (typed === AUTO_MODEL) assertCanChoose(settings.settings);
      else await openProvider(typed, settings.providerSettings);
      const notes = await conversation.reopen({...settings, settings: {...settings.settings, model: typed}, window: undefined}, signal);
      return text(`Switched to ${typed}. The conversation goes on.`, ...notes);
    },
  },
  {
    name: 'mode',
    hint: '[MODE]',
    description: 'change what runs without asking',
    whileWorking: 'always',
    async run({conversation: {thread, settings}}, typed) {
      const modes = modesOf(settings);
      if (typed === '')
        return {
          type: 'pick',
          current: thread.mode(),
          title: `Mode (now ${thread.mode()})`,
          items: modes.map((mode) => ({value: mode, label: mode, detail: MEANINGS[mode]})),
        };
      const mode = ALL.find((one) => one === typed);
      if (mode === undefined)
        throw new FettleError({code: 'BAD_ARGS', message: `${typed} is not a mode.`, hint: `Use ${modes.join(', ')}.`});
      thread.setMode(mode);
      return text(`Mode ${mode}: ${MEANINGS[mode]}.`);
    },
  },
  {
    name: 'sandbox',
    description: 'show the sandbox of commands',
    whileWorking: 'always',
    async run({conversation: {settings}}) {
      const profile = sandboxProfile(settings);
      const {network, writable, allowed_domains: domains} = settings.settings.sandbox;
      if (profile === 'off')
        return text('No sandbox: commands run with your full permissions.', 'Start with --sandbox workspace-write to turn it on.');
      return text(
        `Sandbox ${profile}.`,
        `Network: ${network ? 'open' : domains.length === 0 ? 'closed' : `only ${domains.join(', ')}`}`,
        ...(writable.length === 0 ? [] : [`Also writable: ${writable.join(', ')}`]),
      );
    },
  },
];

const ALL: readonly Mode[] = ['plan', 'ask', 'accept-edits', 'full-auto'];

const MEANINGS: Readonly<Record<Mode, string>> = {
  plan: 'read and plan; nothing is changed',
  ask: 'ask before changes and commands',
  'accept-edits': 'edit files in the workspace without asking; ask before commands',
  'full-auto': 'never ask, except for what is protected',
};

/** Lists the models of the providers whose key is set, from the catalog and the settings. */
function modelsOf({settings, providerSettings}: SessionSettings): readonly PickerItem[] {
  const own = providerSettings.providers.flatMap(({name, models = []}) => models.map((model) => `${name}/${model}`));
  const ready = listProviders(providerSettings).filter(({hasKey}) => hasKey);
  const known = ready.flatMap(({name}) => knownModels(name).map((model) => `${name}/${model}`));
  const current = settings.model === undefined ? [] : [settings.model];
  return [...new Set([...current, ...own, ...known])].map((value) => ({value, label: value}));
}
