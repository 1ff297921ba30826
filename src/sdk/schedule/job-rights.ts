import type {JobRights} from '../../schedule/jobs/job-definition.ts';
import type {Rule, Verdict} from '../../policy/decision.ts';
import {assertCanChoose} from '../settings/auto-choices.ts';
import {AUTO_MODEL} from '../settings/auto-model.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {toolRules} from '../settings/tool-rules.ts';
import {writtenRules} from '../settings/written-rules.ts';
import {sandboxProfile} from '../tools/open-command-sandbox.ts';

/**
 * Returns the rights that a run with these settings would have now, so that a job can keep them, whatever is configured later: model, mode,
 * sandbox, limits, and the rules of all sources but the built-in ones.
 */
export async function jobRights(session: SessionSettings, verify: readonly string[]): Promise<JobRights> {
  const {settings} = session;
  if (settings.model === AUTO_MODEL) assertCanChoose(settings);
  const {rules} = await writtenRules(session);
  const all = [...rules, ...toolRules(session)];
  const sandbox = sandboxProfile(session);
  return {
    model: settings.model,
    toolset: settings.toolset,
    mode: settings.mode,
    sandbox,
    allow: textsOf(all, 'allow'),
    ask: textsOf(all, 'ask'),
    deny: textsOf(all, 'deny'),
    domains: settings.sandbox.allowed_domains,
    verify,
    maxTurns: settings.limits.max_turns,
    maxTokens: settings.limits.max_tokens,
    maxCostUsd: settings.limits.max_cost_usd,
    maxTimeS: settings.limits.max_time_s,
  };
}

function textsOf(rules: readonly Rule[], verdict: Verdict): readonly string[] {
  return [...new Set(rules.filter(({effect}) => effect === verdict).map(({text}) => text))];
}

/** Lists what the configuration allows and no job can have, one line each. */
export function rightsLeftOut({settings}: Pick<SessionSettings, 'settings'>): readonly string[] {
  const {sandbox, web_fetch: web} = settings;
  return [
    ...(sandbox.network ? ['sandbox.network does not count for jobs: commands in the sandbox reach the hosts of --allow-domain'] : []),
    ...(sandbox.writable.length > 0 ? ['sandbox.writable does not count for jobs: commands in the sandbox write below the workspace'] : []),
    ...(web.private_hosts.length > 0 ? ['web_fetch.private_hosts does not count for jobs'] : []),
  ];
}
