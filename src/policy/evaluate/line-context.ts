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
  /** So many commands that those behind the first hundreds are only compared with deny rules. */
  readonly isCrowded: boolean;
  /** The stars of the line never stand for a leading dot, nor for more than one name. */
  readonly plainGlobs: boolean;
  /** The commands that may make or rename files: behind another one of them nobody knows what a glob stands for. */
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
