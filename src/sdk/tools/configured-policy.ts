import type {Policy, Rule} from '../../policy/decision.ts';
import {defaultRules} from '../../policy/rules/default-rules.ts';
import {machineOf} from '../settings/machine.ts';
import {ownFileRules} from '../settings/own-files.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {toolRules} from '../settings/tool-rules.ts';
import {writtenRules} from '../settings/written-rules.ts';
import {sandboxProfile} from './open-command-sandbox.ts';

/** Assembles the policy: written rules, those of tool tables, the protection of Fettle's own files, and the default rules. */
export async function configuredPolicy(session: SessionSettings): Promise<ConfiguredPolicy> {
  const {mode, toolset} = session.settings;
  const [written, own, machine] = await Promise.all([writtenRules(session), ownFileRules(session), machineOf(session)]);
  const rules = [...written.rules, ...toolRules(session), ...domainRules(session), ...own, ...defaultRules(toolset)];
  return {mode, rules, fallback: 'ask', sandboxed: isSandboxed(session), machine, notices: written.notices};
}

/** A policy, with notices about its rules. */
export interface ConfiguredPolicy extends Policy {
  readonly notices: readonly string[];
}

function isSandboxed(session: SessionSettings): boolean {
  return sandboxProfile(session) !== 'off' && !session.settings.sandbox.network;
}

/** Returns rules that let the web tool fetch pages of the domains that sandboxed commands may reach. */
function domainRules(session: SessionSettings): Rule[] {
  if (!isSandboxed(session)) return [];
  return session.settings.sandbox.allowed_domains.map((domain) => ({
    text: `web_fetch:${domain}`,
    effect: 'allow',
    source: 'sandbox.allowed_domains',
  }));
}
