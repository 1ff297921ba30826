import {isJsonObject, type Json} from '../base/json.ts';
import {originText, type ConfigPath, type Source} from './origin.ts';

/** A place that names a tool to rule over it. */
export interface ToolMention {
  /** A rule, or the name of a tool alone. */
  readonly text: string;
  readonly effect: 'allow' | 'ask' | 'deny';
  /** `FILE:LINE`, or the flag. */
  readonly source: string;
  /** The words for the mention in messages, if it is not a rule: `the matcher "Bsh" fits nothing`. */
  readonly what?: string | undefined;
}

/**
 * Lists the mentions of tools in a source: the rules of `[permissions]`, the tables `[tools.NAME]` that permit,
 * ask or deny, and disabled tools. Malformed entries are skipped here: `validate` reports them.
 */
export function toolMentions({value, originOf}: Source): ToolMention[] {
  const at = (...path: ConfigPath): string => originText(originOf(path));
  const {permissions, tools, disabled_tools: disabled} = value;
  return [
    ...EFFECTS.flatMap((effect) =>
      textsOf(isJsonObject(permissions) ? permissions[effect] : undefined).map((text, index): ToolMention => ({
        text,
        effect,
        source: at('permissions', effect, index),
      })),
    ),
    ...textsOf(disabled).flatMap((text, index): ToolMention[] =>
      /^(?:re:[^:]+|[\w*.-]+)$/.test(text)
        ? [{text, effect: 'deny', source: at('disabled_tools', index), what: `${JSON.stringify(text)} in disabled_tools fits nothing`}]
        : [],
    ),
    ...Object.entries(isJsonObject(tools) ? tools : {}).flatMap(([name, table]): ToolMention[] => {
      const key = isJsonObject(table) ? ['permission', 'denylist', 'allowlist'].find((known) => table[known] !== undefined) : undefined;
      if (key === undefined || !isJsonObject(table)) return [];
      const allows = table['denylist'] === undefined && table['permission'] !== 'never' && table['permission'] !== 'ask';
      return [{text: name, effect: allows ? 'allow' : 'deny', source: at('tools', name, key)}];
    }),
  ];
}

const EFFECTS = ['deny', 'ask', 'allow'] as const;

function textsOf(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((text): text is string => typeof text === 'string') : [];
}
