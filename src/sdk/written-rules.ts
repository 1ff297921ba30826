import {sep} from 'node:path';
import {addGrant, grantsFile, readGrants, removeGrant, type Grant, type StoredGrant} from '../config/grants.ts';
import {readManagedRules} from '../config/grants-managed.ts';
import type {Rule} from '../policy/decision.ts';
import {parseRule} from '../policy/parse-rule.ts';
import type {SessionSettings} from './load-settings.ts';

/**
 * Every rule that somebody wrote, in the order of their authority: the machine's, flags, the project's, the user's, what was stored. The
 * order tells which of two rules of one effect is named; a deny is stronger than an ask and an ask than an allow, wherever they come from.
 */
export async function writtenRules(session: Pick<SessionSettings, 'rules' | 'paths' | 'trust'>): Promise<Rule[]> {
  const [managed, stored] = await Promise.all([readManagedRules(), readGrants(grantsFile(session.paths.configDir))]);
  const tier = (rule: Rule): number => (rule.source.startsWith('--') ? 0 : rule.source.startsWith(session.trust.root + sep) ? 1 : 2);
  const configured = [...session.rules].sort((one, other) => tier(one) - tier(other));
  const grants = stored.filter((grant) => holdsIn(grant, session.trust.root));
  return [...managed, ...configured, ...grants.map(({text, effect, source}) => ({text, effect, source}))];
}

function holdsIn({project}: StoredGrant, root: string): boolean {
  return project === undefined || project === root;
}

export interface RuleToStore extends Pick<Grant, 'text' | 'effect'> {
  /** In every folder, not only in this project. */
  readonly everywhere: boolean;
}

/** Stores a rule for the project of the session, or everywhere; never inside the project. Throws CONFIG for a rule that cannot be read. */
export async function storeRule(
  {paths, trust}: Pick<SessionSettings, 'paths' | 'trust'>,
  {text, effect, everywhere}: RuleToStore,
): Promise<void> {
  parseRule({text, effect, source: 'permissions add'});
  await addGrant(grantsFile(paths.configDir), {text: text.trim(), effect, project: everywhere ? undefined : trust.root});
}

/** Takes a stored rule out again; the number of entries that are gone. */
export async function forgetRule(
  {paths, trust}: Pick<SessionSettings, 'paths' | 'trust'>,
  {text, everywhere}: Pick<RuleToStore, 'text' | 'everywhere'>,
): Promise<number> {
  return await removeGrant(grantsFile(paths.configDir), {text: text.trim(), project: everywhere ? undefined : trust.root});
}
