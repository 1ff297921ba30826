import {onlyReads} from '../programs/command-paths.ts';
import {hasPlainGlobs} from '../programs/expand-uses.ts';
import type {Subject} from '../decision.ts';
import {
  conservative,
  fromMode,
  fromRule,
  type EvaluationContext,
  harmless,
  type EvaluatedPart,
  refused,
  TOO_COMPLEX,
  evaluateWithinBudget,
} from './evaluation-context.ts';
import {normalizedCommand, ruleMatchesCommand} from '../rules/match-command.ts';
import {MAX_READ, readLine} from '../shell/shell-line.ts';
import {foldersAlong} from '../shell/shell-paths.ts';
import type {UnresolvedPart} from '../shell/shell-parts.ts';
import {evaluateCommand} from './evaluate-command.ts';
import {evaluateRedirect} from './evaluate-redirect.ts';
import {type LineContext, toolRules} from './line-context.ts';

type CommandSubject = Extract<Subject, {kind: 'command'}>;

/** Evaluates every part of a shell line: each command at every depth, each file it redirects to, and parts that cannot be understood. */
export function evaluateLine(subject: CommandSubject, context: EvaluationContext): readonly EvaluatedPart[] {
  const text = subject.command;
  if (text.trim() === '') return [refused(text, 'there is no command')];
  const line = readLine(text);
  const along = foldersAlong(line.commands, subject.workspace ?? subject.cwd, subject.cwd);
  const folders = along.at(-1) ?? {workspace: subject.cwd, bases: []};
  const lineContext: LineContext = {
    ...context,
    folders,
    isLast: false,
    isCrowded: line.commands.length > CROWDED,
    plainGlobs: hasPlainGlobs(text, line.commands),
    writers: line.commands.filter(({words, role}) => role === 'plain' && !onlyReads(words)),
    rulesOfTool: toolRules(context),
  };
  const parts = [
    () => evaluateWhole(text.slice(0, MAX_READ), lineContext),
    ...line.commands.map(
      (command, index) => () =>
        evaluateCommand(command, {
          ...lineContext,
          folders: along[index] ?? folders,
          isLast: index > 0 && index === line.commands.length - 1,
        }),
    ),
    ...line.redirects.map((redirect) => () => evaluateRedirect(redirect, lineContext)),
  ];
  const decided = evaluateWithinBudget(parts, () => conservative(text, context, TOO_COMPLEX));
  if (text.includes('\0')) decided.push(refused(text, 'has a NUL character'));
  const unresolved = line.unresolved.flatMap((part) => evaluateUnresolved(part, lineContext));
  const all = [...decided, ...unresolved];
  if (all.length === 0)
    all.push(
      /^\s*[A-Za-z_]\w*\+?=/.test(text)
        ? harmless(text, 'it only sets variables of the line')
        : conservative(text, context, 'there is no command in it'),
    );
  return context.policy.mode === 'plan' ? all.map((part) => inPlan(part, context)) : all;
}

/** In plan mode, only parts that are shown to be harmless run; no rule widens that. */
function inPlan(part: EvaluatedPart, context: EvaluationContext): EvaluatedPart {
  return part.verdict === 'deny' || part.harmless === true ? part : fromMode(part.text, context, 'deny');
}

/** The raw text, too: whatever the parser makes of it, a denied line stays denied. */
function evaluateWhole(text: string, context: LineContext): EvaluatedPart[] {
  const words = text.trim().split(/\s+/);
  const raw = {
    text: text.trim(),
    repeated: false,
    via: [],
    words: words.map((word) => ({text: word, value: word, prefix: word, glob: /[*?[]/.test(word)})),
  };
  const face = normalizedCommand(raw);
  const denied = context.rulesOfTool.deny.find((rule) => ruleMatchesCommand(rule, face) === 'yes');
  return denied === undefined ? [] : [fromRule(text, denied)];
}

const CROWDED = 300;

/**
 * No rule allows a part that is not understood. In full-auto, which allows everything that is not denied, such a part counts only if it may hide
 * a denied command.
 */
function evaluateUnresolved({text, reason, hides}: UnresolvedPart, context: LineContext): EvaluatedPart[] {
  const denies = context.rulesOfTool.deny.length > 0;
  if (context.policy.mode === 'full-auto' && (hides === 'value' || !denies)) return [];
  return [conservative(text, context, reason)];
}
