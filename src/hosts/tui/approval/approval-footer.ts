import {shownRow} from '../cells/shown-text.ts';
import {span, type Line} from '../cells/line.ts';
import {cutLine, lineWidth, wrapLine} from '../cells/wrap-line.ts';
import {approvalChoices} from './approval-choices.ts';
import type {ApprovalDialog} from '../model/screen-state.ts';

export interface FootLayout {
  readonly columns: number;
  /** Rows of the whole dialog. */
  readonly rows: number;
  /** Number of rows about the call itself. */
  readonly about: number;
  /** The text that is being written, in place of the answers. */
  readonly written: readonly Line[] | undefined;
}

export interface ApprovalFoot {
  readonly lines: readonly Line[];
  /** Rules that do not fit here: they scroll with the call. */
  readonly scrolled: readonly Line[];
}

/**
 * The rules that would be stored, and the answers: one per row, or side by side on a low screen. The call comes first: nobody should have to
 * decide on something they cannot see.
 */
export function approvalFoot(dialog: ApprovalDialog, {columns, rows, about, written}: FootLayout): ApprovalFoot {
  const rules = ruleLines(dialog);
  const wrapped = rules.flatMap((line) => wrapLine(line, columns, [span('    ')]));
  const full = [...wrapped, ...(written ?? choiceRows(dialog))];
  if (full.length <= rows - 1 - Math.min(about, LEAST_ABOUT)) return {lines: cut(full, columns), scrolled: []};
  const answers = written ?? wrapLine(choiceRow(dialog), columns);
  const low = [...rules, ...answers];
  // The explanation of a rule may be cut, the rule itself not: it is the text that would be stored.
  const isReadable = rules.every((line) => lineWidth(line.slice(0, 2)) <= columns);
  if (isReadable && low.length <= rows - 1 - Math.min(about, LEAST_ABOUT_LOW)) return {lines: cut(low, columns), scrolled: []};
  return {lines: cut(answers, columns), scrolled: wrapped};
}

/** Rows about the call that are shown before the answers get any. */
const LEAST_ABOUT = 4;
const LEAST_ABOUT_LOW = 2;

function cut(lines: readonly Line[], columns: number): readonly Line[] {
  return lines.map((line) => cutLine(line, columns));
}

function choiceRows({question, choice}: ApprovalDialog): readonly Line[] {
  return approvalChoices(question).map(({letter, label}, index): Line => {
    const isChosen = index === choice;
    return [span(isChosen ? '▸ ' : '  ', 'accent'), span(`${letter} `, 'accent'), isChosen ? span(label, 'selected') : span(label)];
  });
}

function choiceRow({question, choice}: ApprovalDialog): Line {
  // A letter stays with its word if the row is wrapped.
  return approvalChoices(question).flatMap(({letter, id}, index) => [
    ...(index === 0 ? [] : [span(' ')]),
    span(`${letter}\u00a0`, 'accent'),
    index === choice ? span(SHORT[id], 'selected') : span(SHORT[id]),
  ]);
}

const SHORT = {once: 'once', session: 'session', always: 'always', deny: 'no', hunks: 'changes', feedback: 'feedback'} as const;

/** The exact rules, as offered or as edited. */
function ruleLines({question, rules}: ApprovalDialog): readonly Line[] {
  const edited = rules ?? question.rules.map(({rule}) => rule);
  return edited.map((rule, index) => {
    const offered = question.rules[index];
    const meaning = offered === undefined || offered.rule !== rule ? 'as edited' : offered.meaning;
    const note = [meaning, 'e edits it'].filter((part) => part !== '').join(' · ');
    return [span('  rule ', 'dim'), span(shownRow(rule), 'code'), span(`  ${shownRow(note)}`, 'dim')];
  });
}
