import {FettleError} from '../../base/errors.ts';
import {addGrant, grantsFile, removeGrant, type Grant} from '../../config/grants.ts';
import type {Rule} from '../../policy/decision.ts';
import {parseRule} from '../../policy/rules/parse-rule.ts';
import {inTurn} from '../../sessions/process-lock.ts';
import type {SessionSettings} from './session-settings.ts';
import {checkNames, type RuleSession} from './written-rules.ts';

export interface RuleToStore extends Pick<Grant, 'text' | 'effect'> {
  /** In every folder, not only in this project. */
  readonly everywhere: boolean;
}

/**
 * Stores a rule for the project of the session, or everywhere; never inside the project. Returns notices for the person. Throws
 * CONFIG for a rule that cannot be read, and for one that denies or asks about a tool that cannot exist.
 */
export async function storeRule(session: RuleSession, {text, effect, everywhere}: RuleToStore): Promise<readonly string[]> {
  const {paths, trust} = session;
  const rule: Rule = {text: text.trim(), effect, source: 'permissions add'};
  parseRule(rule);
  const {problems, warnings} = await checkNames([rule], session);
  if (problems.length > 0) throw new FettleError({code: 'CONFIG', message: problems.join('\n'), hint: 'Nothing was stored.'});
  const grant = {text: text.trim(), effect, project: everywhere ? undefined : trust.root};
  await alone(grantsFile(paths.configDir), async (file) => await addGrant(file, grant));
  return warnings;
}

/** Removes a stored rule. Returns the number of entries removed. */
export async function forgetRule(
  {paths, trust}: Pick<SessionSettings, 'paths' | 'trust'>,
  {text, everywhere}: Pick<RuleToStore, 'text' | 'everywhere'>,
): Promise<number> {
  const grant = {text: text.trim(), project: everywhere ? undefined : trust.root};
  return await alone(grantsFile(paths.configDir), async (file) => await removeGrant(file, grant));
}

/** The file is read and replaced as a whole: of two processes at once, one would undo what the other stored. */
async function alone<T>(file: string, change: (file: string) => Promise<T>): Promise<T> {
  return await inTurn(`${file}.lock`, async () => await change(file));
}
