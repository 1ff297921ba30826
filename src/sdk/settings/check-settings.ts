import {isFettleError} from '../../base/errors.ts';
import {loadToolsetByName} from '../../tools/toolsets/load-toolset.ts';
import {assertCanChooseTools} from './auto-choices.ts';
import {AUTO_TOOLS} from './auto-model.ts';
import {loadSettings, type SettingsRequest} from './load-settings.ts';
import {readHookFiles} from '../hooks/read-hook-files.ts';
import {sessionProfiles} from './session-profiles.ts';
import type {SessionSettings} from './session-settings.ts';
import {writtenRules} from './written-rules.ts';

export interface CheckedSettings {
  readonly session: SessionSettings;
  /** Reasons why a session cannot start, one line each. */
  readonly problems: readonly string[];
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
}

/** Reads everything that is configured (settings, stored rules, hooks, profiles) and collects all mistakes, instead of ending with the first. */
export async function checkSettings(request: SettingsRequest): Promise<CheckedSettings> {
  const session = await loadSettings({...request, lenient: true});
  const parts = await Promise.all([
    attempt(async () => await checkToolsets(session)),
    attempt(async () => (await writtenRules(session)).notices),
    attempt(async () => (await readHookFiles(session)).notices),
    attempt(async () => (await sessionProfiles(session)).problems),
  ]);
  return {
    session,
    problems: [...(session.problems ?? []), ...parts.flatMap(({problems}) => problems)],
    notices: [...session.notices, ...parts.flatMap(({notices}) => notices)],
  };
}

async function checkToolsets({settings}: SessionSettings): Promise<void> {
  assertCanChooseTools(settings);
  const names = settings.toolset === AUTO_TOOLS ? settings.optimization.toolsets : [settings.toolset];
  await Promise.all(names.map(loadToolsetByName));
}

async function attempt(read: () => Promise<readonly string[] | void>): Promise<Pick<CheckedSettings, 'problems' | 'notices'>> {
  try {
    return {problems: [], notices: (await read()) ?? []};
  } catch (thrown) {
    if (!isFettleError(thrown)) throw thrown;
    return {problems: thrown.message.split('\n'), notices: []};
  }
}
