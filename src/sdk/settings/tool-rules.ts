import type {LoadedConfig} from '../../config/load.ts';
import {originText, keyPathText} from '../../config/origin.ts';
import type {Rule, Verdict} from '../../policy/decision.ts';

/**
 * Returns the rules that the tables `[tools.<name>]` imply, with the place of each (vibe tool system ›
 * Permission Levels). The usual order holds: deny is stronger than ask, and ask than allow. Without
 * `permission`, the mode decides on subjects in neither list.
 */
export function toolRules({settings, origins}: Pick<LoadedConfig, 'settings' | 'origins'>): Rule[] {
  return Object.entries(settings.tools).flatMap(([name, {permission, allowlist = [], denylist = []}]) => {
    const sourceOf = (key: string): string => {
      const origin = origins[keyPathText(['tools', name, key])];
      return origin === undefined ? 'session' : originText(origin);
    };
    const listed = (key: string, patterns: readonly string[], effect: Verdict): Rule[] =>
      patterns.map((pattern) => ({text: `${name}:${pattern}`, effect, source: sourceOf(key)}));
    return [
      ...listed('denylist', denylist, 'deny'),
      ...(permission === undefined ? [] : [{text: name, effect: EFFECT[permission], source: sourceOf('permission')}]),
      ...listed('allowlist', allowlist, 'allow'),
    ];
  });
}

const EFFECT = {always: 'allow', never: 'deny', ask: 'ask'} as const;

/** Reports lists that have no effect beside the configured permission: ask is stronger than allow. */
export function toolRuleNotices({settings}: Pick<LoadedConfig, 'settings'>): string[] {
  return Object.entries(settings.tools).flatMap(([name, {permission, allowlist = []}]) =>
    permission === 'ask' && allowlist.length > 0
      ? [
          `tools.${name}.allowlist: has no effect beside permission = "ask"; leave that out, and what is not listed is asked about in the mode "ask"`,
        ]
      : [],
  );
}
