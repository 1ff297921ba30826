import {onlyReads} from '../programs/command-paths.ts';
import {hasPlainGlobs} from '../programs/expand-uses.ts';
import type {Subject} from '../decision.ts';
import {byCaution, byMode, byRule, type Court, harmless, type Judged, refused, TOO_MUCH, withinReach} from './evaluation-context.ts';
import {commandFace, meetsCommand} from '../rules/match-command.ts';
import {MAX_READ, readLine} from '../shell/shell-line.ts';
import {foldersAlong} from '../shell/shell-paths.ts';
import type {Unclear} from '../shell/shell-parts.ts';
import {judgeCommand} from './evaluate-command.ts';
import {judgeRedirect} from './evaluate-redirect.ts';
import {type LineCourt, toolRules} from './line-context.ts';

type CommandSubject = Extract<Subject, {kind: 'command'}>;

/** Judges every part of a shell line: each command at every depth, each file it redirects to, and what cannot be understood. */
export function judgeLine(subject: CommandSubject, court: Court): readonly Judged[] {
  const text = subject.command;
  if (text.trim() === '') return [refused(text, 'there is no command')];
  const line = readLine(text);
  const along = foldersAlong(line.commands, subject.workspace ?? subject.cwd, subject.cwd);
  const folders = along.at(-1) ?? {workspace: subject.cwd, bases: []};
  const context: LineCourt = {
    ...court,
    folders,
    isLast: false,
    isCrowded: line.commands.length > CROWDED,
    plainGlobs: hasPlainGlobs(text, line.commands),
    writers: line.commands.filter(({words, role}) => role === 'plain' && !onlyReads(words)),
    rulesOfTool: toolRules(court),
  };
  const parts = [
    () => judgeWhole(text.slice(0, MAX_READ), context),
    ...line.commands.map(
      (command, index) => () =>
        judgeCommand(command, {...context, folders: along[index] ?? folders, isLast: index > 0 && index === line.commands.length - 1}),
    ),
    ...line.redirects.map((redirect) => () => judgeRedirect(redirect, context)),
  ];
  const judged = withinReach(parts, () => byCaution(text, court, TOO_MUCH));
  if (text.includes('\0')) judged.push(refused(text, 'has a NUL character'));
  const unclear = line.unclear.flatMap((part) => judgeUnclear(part, context));
  const all = [...judged, ...unclear];
  if (all.length === 0)
    all.push(
      /^\s*[A-Za-z_]\w*\+?=/.test(text)
        ? harmless(text, 'it only sets variables of the line')
        : byCaution(text, court, 'there is no command in it'),
    );
  return court.policy.mode === 'plan' ? all.map((part) => inPlan(part, court)) : all;
}

/** Where nothing may change, only what was shown to change nothing runs; no rule of anybody widens that. */
function inPlan(part: Judged, court: Court): Judged {
  return part.verdict === 'deny' || part.harmless === true ? part : byMode(part.text, court, 'deny');
}

/** The raw text, too: whatever the parser makes of it, a denied line stays denied. */
function judgeWhole(text: string, court: LineCourt): Judged[] {
  const words = text.trim().split(/\s+/);
  const raw = {
    text: text.trim(),
    repeated: false,
    via: [],
    words: words.map((word) => ({text: word, value: word, prefix: word, glob: /[*?[]/.test(word)})),
  };
  const face = commandFace(raw);
  const denied = court.rulesOfTool.deny.find((rule) => meetsCommand(rule, face) === 'yes');
  return denied === undefined ? [] : [byRule(text, denied)];
}

const CROWDED = 300;

/**
 * What is not understood is never allowed by a rule. In full-auto, which allows everything that is not denied, it counts where it may hide
 * a denied command.
 */
function judgeUnclear({text, reason, hides}: Unclear, court: LineCourt): Judged[] {
  const denies = court.rulesOfTool.deny.length > 0;
  if (court.policy.mode === 'full-auto' && (hides === 'value' || !denies)) return [];
  return [byCaution(text, court, reason)];
}
