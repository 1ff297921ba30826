import {FettleError} from '../../base/errors.ts';
import type {Json, JsonObject} from '../../base/json.ts';
import type {Policy, Rule, Verdict} from '../../policy/decision.ts';
import {checkToolNames} from '../settings/check-tool-names.ts';
import {toolFolders} from '../settings/load-settings.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

/** Creates the policy of `{allow, ask, deny, default}`. Throws CONFIG for a rule that names no tool. */
export async function explicitPolicy(policy: JsonObject, session: SessionSettings): Promise<Policy> {
  const rules = EFFECTS.flatMap((effect) => textsOf(policy[effect]).map((text): Rule => ({text, effect, source: 'policy'})));
  const fallback = EFFECTS.find((effect) => effect === policy['default']) ?? 'ask';
  const {problems} = await checkToolNames(rules, toolFolders(session, session.settings.tool_paths));
  if (problems.length > 0) throw new FettleError({code: 'CONFIG', message: problems.join('\n')});
  return {mode: 'ask', rules, fallback};
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}

const EFFECTS: readonly Verdict[] = ['deny', 'ask', 'allow'];
