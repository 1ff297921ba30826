import {isJsonObject, type JsonObject} from '../../base/json.ts';
import {otherNamesOf} from '../../policy/rules/tool-families.ts';
import type {HookCall} from '../../tools/dispatch/dispatch.ts';
import type {Hook} from './read-hooks.ts';

/** A call as a hook receives it. */
export interface TranslatedCall {
  readonly tool_name: string;
  readonly tool_input: JsonObject;
}

/**
 * Translates a call into the names that a hook expects; undefined if the hook does not match it. The matcher decides: one for `Bash|Edit` gets
 * `Bash` and `file_path`; one for `bash`, or for a name of another agent, gets our names. A hook that matches both (`*`, or no matcher) gets the
 * names of the format its event is written in.
 */
export function translatedFor(hook: Pick<Hook, 'matcher' | 'foreign'>, call: HookCall): TranslatedCall | undefined {
  const own = [call.toolName, call.permission].some(hook.matcher);
  const theirs = (THEIRS[call.permission] ?? []).find(({name}) => hook.matcher(name));
  if (theirs !== undefined && (hook.foreign || !own)) return inTheirs(theirs, call);
  return own || otherNamesOf(call.toolName, call.permission).some(hook.matcher)
    ? {tool_name: call.toolName, tool_input: inputOf(call)}
    : undefined;
}

interface TheirTool {
  readonly name: string;
  /** Their parameters, if they differ from ours. */
  readonly parameters: readonly string[];
}

/** The tools of Claude Code by our permission families; a family has several where they have several. */
const THEIRS: Readonly<Record<string, readonly TheirTool[]>> = {
  bash: [{name: 'Bash', parameters: ['timeout']}],
  edit: [
    {name: 'Edit', parameters: ['file_path']},
    {name: 'MultiEdit', parameters: ['file_path']},
  ],
  write: [{name: 'Write', parameters: ['file_path']}],
  read: [{name: 'Read', parameters: ['file_path']}],
  glob: [{name: 'Glob', parameters: []}],
  grep: [{name: 'Grep', parameters: []}],
  ls: [{name: 'LS', parameters: []}],
  todo: [{name: 'TodoWrite', parameters: []}],
  task: [
    {name: 'Task', parameters: ['prompt', 'subagent_type']},
    {name: 'Agent', parameters: ['prompt', 'subagent_type']},
  ],
  web_fetch: [{name: 'WebFetch', parameters: []}],
  web_search: [{name: 'WebSearch', parameters: []}],
  ask_user_question: [{name: 'AskUserQuestion', parameters: []}],
  skill: [{name: 'Skill', parameters: []}],
  exit_plan_mode: [{name: 'ExitPlanMode', parameters: []}],
};

/** Renames with aliases of the tool, so that an answer in these names is understood as well. */
function inTheirs({name, parameters}: TheirTool, call: HookCall): TranslatedCall {
  const input = inputOf(call);
  const renamed = new Map(
    parameters.flatMap((theirs) => {
      const ours = call.aliases[theirs];
      return ours === undefined || theirs in input ? [] : [[ours, theirs] as const];
    }),
  );
  return {tool_name: name, tool_input: Object.fromEntries(Object.entries(input).map(([key, value]) => [renamed.get(key) ?? key, value]))};
}

function inputOf({input}: HookCall): JsonObject {
  return isJsonObject(input) ? input : {};
}
