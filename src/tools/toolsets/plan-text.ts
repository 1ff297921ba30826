import {counted} from '../../base/counted.ts';
import type {ExitPlanResult} from '../operations/meta/exit-plan.ts';
import {commentsText} from '../ports/review-comments.ts';

/** Reports the decision on a plan to the model, with comments below the lines that they belong to. */
export function planText(result: ExitPlanResult): {readonly text: string; readonly summary: string} {
  const {mode, comments = []} = result;
  const quoted = comments.length === 0 ? '' : `\n\n${commentsText(comments)}`;
  if (mode === null) return {text: `The plan is not accepted: keep planning. ${rejection(result)}${quoted}`, summary: 'keeps planning'};
  const how = quoted === '' ? 'carry it out.' : 'carry it out as they commented.';
  const text = `The user accepted the plan. The mode is ${mode} now: ${how}${stepsText(result)}${quoted}${changedText(result)}`;
  return {text, summary: `accepted, mode ${mode}`};
}

function rejection({feedback, comments = []}: ExitPlanResult): string {
  if (feedback !== undefined) return `They said: ${feedback}`;
  return comments.length === 0 ? 'Change nothing yet.' : 'They commented on it:';
}

function stepsText({steps}: ExitPlanResult): string {
  if (steps === undefined) return '';
  return ` Its ${counted(steps, 'step')} ${steps === 1 ? 'is' : 'are'} the task list now: keep it up to date.`;
}

function changedText({changed}: ExitPlanResult): string {
  return changed === undefined ? '' : `\n\nThey changed it before. This is what counts:\n${changed}`;
}
