import {counted} from '../../../base/counted.ts';
import type {InputState} from '../editor/editor-state.ts';
import type {DialogBase} from '../model/dialog-base.ts';
import type {PlanComment, PlanQuestion, PlanRange} from './plan-question.ts';
import {planUnits} from './plan-units.ts';

export interface PlanDialog extends DialogBase {
  readonly type: 'plan';
  readonly question: PlanQuestion;
  /** The unit that is chosen, and how many of its rows are above the screen. */
  readonly at: number;
  readonly skip: number;
  /** The other end of the selection. */
  readonly anchor?: number | undefined;
  /** In the order of the lines. */
  readonly comments: readonly PlanComment[];
  /** A comment that is being written; without lines it is about the whole plan. */
  readonly writing?: {readonly lines?: PlanRange | undefined; readonly editor: InputState} | undefined;
  /** The answer that is chosen, while answers are. */
  readonly answering?: number | undefined;
}

export interface PlanAnswer {
  readonly label: string;
  readonly description: string;
  /** The label of the choice; absent: no answer. */
  readonly choice?: string | undefined;
  readonly accepts: boolean;
}

/** Makes the dialog with the first line chosen. */
export function planDialog(id: string, question: PlanQuestion): PlanDialog {
  const first = planUnits(question.plan).findIndex(({isBlank}) => !isBlank);
  return {type: 'plan', id, question, at: Math.max(0, first), skip: 0, comments: []};
}

/** Lists the answers: those of the question, which take the comments along, and none. */
export function planAnswers({question, comments}: Pick<PlanDialog, 'question' | 'comments'>): readonly PlanAnswer[] {
  const taken = comments.length === 0 ? '' : counted(comments.length, 'comment');
  const answers = question.choices.map(({label, description, accepts}): PlanAnswer => {
    const choice = label;
    if (taken === '') return {label, description, choice, accepts};
    return accepts
      ? {label: `${label}, with ${taken}`, description, choice, accepts}
      : {label: `Send back with ${taken}`, description: '', choice, accepts};
  });
  return [...answers, {label: 'Leave it as it is', description: taken === '' ? '' : `${taken} dropped`, accepts: false}];
}

/** Returns the units that are chosen, the first and the last. */
export function chosenUnits({at, anchor = at}: Pick<PlanDialog, 'at' | 'anchor'>): {readonly first: number; readonly last: number} {
  return {first: Math.min(at, anchor), last: Math.max(at, anchor)};
}

/** Returns the lines that are chosen. */
export function chosenLines(dialog: PlanDialog): PlanRange {
  const units = planUnits(dialog.question.plan);
  const {first, last} = chosenUnits(dialog);
  return {first: units[first]?.first ?? 1, last: units[last]?.last ?? 1};
}
