import {sep} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {addGrant, grantsFile, readGrants, removeGrant, type Grant, type StoredGrant} from '../../config/grants.ts';
import {readManagedRules} from '../../config/grants-managed.ts';
import type {MentionFindings} from '../../config/load.ts';
import type {Rule} from '../../policy/decision.ts';
import {parseRule} from '../../policy/rules/parse-rule.ts';
import {toolFolders} from './load-settings.ts';
import type {SessionSettings} from './session-settings.ts';

/**
 * Returns every configured rule, in the order of authority: the machine's, flags, the project's, the user's,
 * stored ones. The order decides which of two rules with the same effect is reported; a deny is stronger than an
 * ask and an ask than an allow, wherever they come from.
 */
export async function writtenRules(session: RuleSession & Pick<SessionSettings, 'rules' | 'explicitRights'>): Promise<WrittenRules> {
  const counts = ({effect}: Rule): boolean => effect !== 'allow' || session.explicitRights !== true;
  const [managed, grants] = await Promise.all([readManagedRules(), grantsHere(session)]).then(
    ([machine, granted]) => [machine.filter(counts), granted.filter(counts)] as const,
  );
  const stored = [...managed, ...grants];
  const {problems, warnings} = stored.length === 0 ? NOTHING : await checkNames(stored, session);
  if (problems.length > 0) throw new FettleError({code: 'CONFIG', message: problems.join('\n'), hint: STORED_HINT});
  const tier = (rule: Rule): number => (rule.source.startsWith('--') ? 0 : rule.source.startsWith(session.trust.root + sep) ? 1 : 2);
  const configured = [...session.rules].sort((one, other) => tier(one) - tier(other));
  return {rules: [...managed, ...configured, ...grants], notices: warnings};
}

export interface WrittenRules {
  readonly rules: readonly Rule[];
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
}

type RuleSession = Pick<SessionSettings, 'paths' | 'trust' | 'home' | 'settings'>;

const NOTHING = {problems: [], warnings: []};
const STORED_HINT = 'Correct the file, or take a stored rule out: fettle permissions remove RULE.';

async function checkNames(rules: readonly Rule[], session: RuleSession): Promise<MentionFindings> {
  const {checkToolNames} = await import('./check-tool-names.ts');
  return await checkToolNames(rules, toolFolders(session, session.settings.tool_paths));
}

async function grantsHere({paths, trust}: Pick<SessionSettings, 'paths' | 'trust'>): Promise<Rule[]> {
  const stored = await readGrants(grantsFile(paths.configDir));
  return stored.filter((grant) => holdsIn(grant, trust.root)).map(({text, effect, source}) => ({text, effect, source}));
}

function holdsIn({project}: StoredGrant, root: string): boolean {
  return project === undefined || project === root;
}

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
  await addGrant(grantsFile(paths.configDir), {text: text.trim(), effect, project: everywhere ? undefined : trust.root});
  return warnings;
}

/** Removes a stored rule. Returns the number of entries removed. */
export async function forgetRule(
  {paths, trust}: Pick<SessionSettings, 'paths' | 'trust'>,
  {text, everywhere}: Pick<RuleToStore, 'text' | 'everywhere'>,
): Promise<number> {
  return await removeGrant(grantsFile(paths.configDir), {text: text.trim(), project: everywhere ? undefined : trust.root});
}
