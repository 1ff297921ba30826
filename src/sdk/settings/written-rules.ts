import {sep} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {grantsFile, readGrants, type StoredGrant} from '../../config/grants.ts';
import {readManagedRules} from '../../config/grants-managed.ts';
import type {MentionFindings} from '../../config/load.ts';
import type {Rule} from '../../policy/decision.ts';
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

export type RuleSession = Pick<SessionSettings, 'paths' | 'trust' | 'home' | 'settings'>;

const NOTHING = {problems: [], warnings: []};
const STORED_HINT = 'Correct the file, or take a stored rule out: fettle permissions remove RULE.';

/** Finds rules for tools that cannot exist. */
export async function checkNames(rules: readonly Rule[], session: RuleSession): Promise<MentionFindings> {
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
