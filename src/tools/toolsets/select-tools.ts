import {namePattern} from '../../base/name-pattern.ts';
import {plain} from '../../base/plain-name.ts';
import {namesCall, parseRule, type ParsedRule} from '../../policy/rules/parse-rule.ts';
import {agentName} from '../../policy/rules/tool-families.ts';
import {ownTool} from '../dispatch/resolve-tool.ts';
import {restrictToolset} from './restrict-toolset.ts';
import type {Tool, Toolset} from '../toolset.ts';

/** Patterns for names, as `namePattern` reads them. */
export interface ToolSelection {
  readonly enabled_tools: readonly string[];
  readonly disabled_tools: readonly string[];
}

/**
 * Selects the enabled tools, whether built-in, of users or of servers. With `enabled_tools`, only matches; else
 * all but matches of `disabled_tools` (vibe tool system › Tool Enable/Disable Patterns: "ignored if
 * enabled_tools set"). A call of a disabled tool is refused with the reason.
 */
export function selectTools(toolset: Toolset, selection: ToolSelection): Toolset {
  const reason = switchedOff(selection);
  if (reason === undefined) return toolset;
  // Switching off `bash` also switches off tools that do the same under names that this toolset does not show.
  const family = selection.enabled_tools.length > 0 ? () => undefined : reason;
  const foreign = foreignlyDisabled(toolset, selection);
  const isOff = (tool: Tool): boolean =>
    reason(tool.name) !== undefined ||
    foreign.some(({rule}) => namesCall(rule, [tool.name, tool.permission])) ||
    (!toolset.tools.includes(tool) && family(tool.permission) !== undefined);
  return {
    ...restrictToolset(toolset, (tool) => !isOff(tool)),
    refusal(asked) {
      const tool = ownTool(toolset, asked);
      if (tool === undefined) return toolset.refusal?.(asked);
      const other = foreign.find(({rule}) => namesCall(rule, [tool.name, tool.permission]));
      return reason(tool.name) ?? (other === undefined ? toolset.refusal?.(asked) : offText(tool.name, other.pattern));
    },
  };
}

/** Returns names of other agents that no tool of the toolset has: switching off `Shell` means every tool that runs commands. */
function foreignlyDisabled({tools}: Toolset, selection: ToolSelection): {readonly pattern: string; readonly rule: ParsedRule}[] {
  if (selection.enabled_tools.length > 0) return [];
  const names = selection.disabled_tools.filter((name) => /^[\w.-]+$/.test(name) && agentName(name) !== undefined);
  const foreign = names.filter((name) => !tools.some((tool) => plain(tool.name) === plain(name)));
  return foreign.map((pattern) => ({pattern, rule: parseRule({text: pattern, effect: 'deny', source: 'disabled_tools'})}));
}

function offText(name: string, pattern: string): string {
  return `${name} is switched off: disabled_tools has "${pattern}"`;
}

/** Explains why a name is switched off; undefined, or a function that returns undefined, if it is not. */
export function switchedOff({
  enabled_tools: enabled,
  disabled_tools: disabled,
}: ToolSelection): ((name: string) => string | undefined) | undefined {
  if (enabled.length > 0) {
    const tests = enabled.map(namePattern);
    return (name) => (tests.some((fits) => fits?.(name)) ? undefined : `${name} is switched off: enabled_tools does not name it`);
  }
  if (disabled.length === 0) return undefined;
  const tests = disabled.map((pattern) => ({pattern, fits: namePattern(pattern)}));
  return (name) => {
    const hit = tests.find(({fits}) => fits?.(name));
    return hit === undefined ? undefined : offText(name, hit.pattern);
  };
}
