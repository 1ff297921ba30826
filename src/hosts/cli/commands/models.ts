import {listProviders} from '../../../models/provider-entry.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {loadSettings} from '../../../sdk/settings/load-settings.ts';
import type {Io} from '../io.ts';
import {flagsOf, type SettingOptions} from '../command-line/run-options.ts';

/** `fettle models list`: every provider with its address and whether its key is set. Nothing is sent. */
export async function listModels(io: Io, options: SettingOptions & {readonly json?: true}): Promise<number> {
  const {settings, providerSettings} = await loadSettings({...io, flags: flagsOf(options)});
  const providers = listProviders(providerSettings);
  if (options.json === true) {
    io.data(`${JSON.stringify({model: settings.model ?? null, providers}, null, 2)}\n`);
    return EXIT.done;
  }
  for (const {name, format, baseUrl, keyVariable, hasKey} of providers) {
    const key = keyVariable === undefined ? 'no key needed' : `${keyVariable} ${hasKey ? 'is set' : 'is not set'}`;
    io.data(`${name.padEnd(12)}  ${format.padEnd(16)}  ${baseUrl}  (${key})\n`);
  }
  io.note(settings.model === undefined ? 'No model is configured.' : `The configured model is ${settings.model}.`);
  return EXIT.done;
}
