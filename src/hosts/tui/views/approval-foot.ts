import {shownRow} from '../cells/shown-text.ts';
import {span, type Line} from '../cells/line.ts';
import {cutLine, wrapLine} from '../cells/wrap-line.ts';
import {approvalChoices} from '../model/approval-choices.ts';
import type {ApprovalDialog} from '../model/screen-state.ts';

export interface FootLayout {
  readonly columns: number;
  /** Rows that it should not be higher than: then it is told in fewer. */
  readonly room: number;
  /** What is being written, in place of the answers. */
  readonly written: readonly Line[] | undefined;
}

/** The rules that would be stored, and the answers: one below the other, or, where the screen is low, one behind the other. */
export function approvalFoot(dialog: ApprovalDialog, {columns, room, written}: FootLayout): readonly Line[] {
  const rules = ruleLines(dialog);
  const full = [...rules.flatMap((line) => wrapLine(line, columns, [span('    ')])), ...(written ?? choiceRows(dialog))];
  const low = [...rules, ...(written ?? wrapLine(choiceRow(dialog), columns))];
  return (full.length <= room ? full : low).map((line) => cutLine(line, columns));
}

function choiceRows({question, choice}: ApprovalDialog): readonly Line[] {
  return approvalChoices(question).map(({letter, label}, index): Line => {
    const isChosen = index === choice;
    return [span(isChosen ? '▸ ' : '  ', 'accent'), span(`${letter} `, 'accent'), isChosen ? span(label, 'selected') : span(label)];
  });
}

function choiceRow({question, choice}: ApprovalDialog): Line {
  // A letter stays with its word where the row is wrapped.
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
