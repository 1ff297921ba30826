import {namesCall, type ParsedRule} from '../rules/parse-rule.ts';
import type {RuleBook} from '../rules/rule-book.ts';
import type {LineCommand} from '../shell/shell-line.ts';
import type {LineFolders} from '../shell/shell-paths.ts';
import type {EvaluationContext} from './evaluation-context.ts';

/** The context in which the parts of one line are evaluated. */
export interface LineContext extends EvaluationContext {
  /** Folders of the command; for redirects of the whole line. */
  readonly folders: LineFolders;
  /** The last of several commands. */
  readonly isLast: boolean;
  /** True for so many commands that only the first hundreds are evaluated fully; the rest are compared with deny rules only. */
  readonly isCrowded: boolean;
  /** True if the stars of the line never match a leading dot, nor more than one name. */
  readonly plainGlobs: boolean;
  /** The commands that may create or rename files: after any other one of them, the matches of a glob are unknown. */
  readonly writers: readonly LineCommand[];
  /** The rules that speak of this tool. */
  readonly rulesOfTool: RuleBook;
}

/**
 * Returns the rules of a tool. A rule that denies or asks for a shell holds for a command of any other tool, too (design §4: a custom tool's commands are judged by the same
 * rules). What is allowed there is not: the tool may do more than the command that it declares.
 */
export function toolRules({request: {toolNames}, rules}: EvaluationContext): RuleBook {
  // That a command outlives the session is asked about beside the command itself.
  const wide = toolNames[0] === 'keep' ? toolNames : [...toolNames, 'bash'];
  const ours = (list: readonly ParsedRule[], names: readonly string[]): ParsedRule[] => list.filter((rule) => namesCall(rule, names));
  return {deny: ours(rules.deny, wide), ask: ours(rules.ask, wide), allow: ours(rules.allow, toolNames)};
}
