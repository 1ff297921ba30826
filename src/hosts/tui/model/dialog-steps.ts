import {visibleText} from '../../../base/visible-text.ts';
import {planDialog} from '../plan/plan-dialog.ts';
import {trustDialog} from '../trust/trust-dialog.ts';
import type {Action, StateChange} from './action.ts';
import {dialogTitle} from './dialog-title.ts';
import {only} from './only.ts';
import type {Dialog, ScreenState} from './screen-state.ts';
import type {Steps} from './steps.ts';

/** Steps for questions of an agent, and for answers that nothing waits for any longer. */
export const DIALOG_STEPS: Steps<'approval' | 'questions' | 'trust' | 'plan' | 'withdrawn' | 'drawn'> = {
  approval: (state, {question}) => asked(state, {type: 'approval', id: question.id, question, choice: 0, scroll: 0}),
  questions: (state, action) => asked(state, questionsDialog(action)),
  trust: (state, {id, question}) => asked(state, trustDialog(id, question)),
  plan: (state, {id, question}) => asked(state, planDialog(id, question)),
  withdrawn: (state, {id}) => only({...state, dialogs: state.dialogs.filter((dialog) => dialog.id !== id)}),
  drawn: (state, {printed}) => only(drawn(state, printed)),
};

/** The first dialog is on the screen from now on. */
function drawn(state: ScreenState, printed: ScreenState['printed']): ScreenState {
  const [first, ...rest] = state.dialogs;
  if (first === undefined || first.shownAt !== undefined) return {...state, printed};
  return {...state, printed, dialogs: [{...first, shownAt: state.now}, ...rest]};
}

function asked(state: ScreenState, dialog: Dialog): StateChange<ScreenState> {
  return {state: {...state, dialogs: [...state.dialogs, dialog]}, effects: [{type: 'notify', kind: 'question', text: dialogTitle(dialog)}]};
}

function questionsDialog({id, questions}: Extract<Action, {type: 'questions'}>): Dialog {
  const texts = questions.map((question) => ({
    ...question,
    header: visibleText(question.header),
    question: visibleText(question.question),
    options: question.options.map(({label, description}) => ({label: visibleText(label), description: visibleText(description)})),
  }));
  return {type: 'questions', id, questions: texts, tab: 0, at: questions.map(() => 0), chosen: questions.map(() => [])};
}
