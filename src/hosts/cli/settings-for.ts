import {loadSettings} from '../../sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../sdk/settings/session-settings.ts';
import {flagsOf, type SettingOptions} from './command-line/run-options.ts';
import type {Io} from './io.ts';

/** Loads the settings that the options of a command ask for, and prints their notices. */
export async function settingsFor(io: Io, options: SettingOptions): Promise<SessionSettings> {
  const session = await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)});
  for (const notice of session.notices) io.note(notice);
  return session;
}
