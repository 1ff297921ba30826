import {loadSettings, withModel} from '../../sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../sdk/settings/session-settings.ts';
import {flagsOf, type ExecOptions} from './command-line/run-options.ts';
import type {Io} from './io.ts';

/** Loads the settings of a headless run; with `--explicit-rights` only its options allow anything. Throws CONFIG, also if no model is configured. */
export async function execSession(io: Io, options: ExecOptions): Promise<SessionSettings> {
  const session = withModel(await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)}));
  if (options.explicitRights !== true) return session;
  const {withExplicitRights} = await import('../../sdk/settings/explicit-rights.ts');
  return withExplicitRights(session);
}
