import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';
import {parsePlanSteps} from '../../ports/parse-plan-steps.ts';
import {quoteComments} from '../../ports/review-comments.ts';
import type {Answer, Choice} from '../../ports/user-questions.ts';

const MAX_PLAN_CHARS = 20_000;

const args = z.object({plan: z.optional(z.string())});

const result = z.object({
  /** null: the plan is not accepted. */
  mode: z.nullable(z.enum(['accept-edits', 'ask'])),
  /** The person's feedback on the plan. */
  feedback: z.optional(z.string()),
  /** Comments on lines of the plan. */
  comments: z.optional(z.array(z.object({lines: z.optional(z.string()), quote: z.array(z.string()), comment: z.string()}))),
  /** The accepted plan, if the person has changed its file meanwhile. */
  changed: z.optional(z.string()),
  /** The number of steps of the plan that the task list has now. */
  steps: z.optional(z.number()),
});

export type ExitPlanArgs = z.infer<typeof args>;
export type ExitPlanResult = z.infer<typeof result>;

/**
 * Asks the person whether to carry out the plan, and leaves the mode `plan` if they accept (Mistral Vibe ›
 * exit_plan_mode: accept with auto edits, accept with approvals, keep planning, other). Only their own choice
 * changes the mode. The plan is stored in its file, which they may change before they accept; its numbered steps
 * become the task list. Throws UNAVAILABLE outside the mode `plan` or if nobody is there, and BAD_ARGS for a
 * plan that is too long to be read.
 */
export const exitPlan = plainOperation<ExitPlanArgs, ExitPlanResult>({
  id: 'ui.exit-plan',
  permission: 'exit_plan_mode',
  args,
  result,
  sideEffect: 'interact',
  subjects: async () => [],
  async *run({plan: text = ''}, ctx) {
    if (ctx.modes?.current() !== 'plan') throw new FettleError(NOT_PLANNING);
    const plan = text.trim() || (await planIn(ctx));
    const decision = decided(plan, await review(plan, ctx));
    if (decision.mode === null) return decision;
    const accepted = (await planIn(ctx)) || plan;
    const steps = parsePlanSteps(accepted);
    if (steps.length > 0) {
      ctx.todos.write(steps);
      yield {type: 'item', item: {type: 'todo_list', items: steps}};
    }
    ctx.modes.set(decision.mode);
    return {...decision, changed: accepted === plan ? undefined : accepted, steps: steps.length || undefined};
  },
});

/** Only the person's own choice changes the mode. */
function decided(plan: string, answer: Answer | undefined): ExitPlanResult {
  if (answer === undefined) return {mode: null};
  const quoted = quoteComments(plan, answer.comments ?? []);
  const comments = quoted.length === 0 ? undefined : quoted.map(({lines, quote, comment}) => ({lines, quote: [...quote], comment}));
  if (answer.isOther) return {mode: null, feedback: answer.answer, comments};
  return {mode: MODES.get(answer.answer) ?? null, comments};
}

/** Reads the file of the plan; returns '' if there is none. */
async function planIn({plan: file}: ToolContext): Promise<string> {
  return ((await file?.read()) ?? '').trim().slice(0, MAX_PLAN_CHARS + 1);
}

/** Shows the plan and returns the answer; undefined: none. */
async function review(plan: string, {askUser, plan: file, signal}: ToolContext): Promise<Answer | undefined> {
  if (askUser === undefined) throw new FettleError(NOBODY);
  if (plan.length > MAX_PLAN_CHARS) throw new FettleError(TOO_LONG);
  if (plan !== '') await file?.write(`${plan}\n`);
  const where = file === undefined ? '' : ` It is in ${file.path}; edit it there if you like.`;
  const question = plan === '' ? 'Carry out the plan?' : `${plan}\n\nCarry out this plan?${where}`;
  const review = plan === '' ? undefined : {text: plan, path: file?.path, accepts: [...MODES.keys()]};
  const asked = {question, header: 'Plan', options: CHOICES, multiSelect: false, review};
  const {answers, cancelled} = await askUser([asked], signal);
  return cancelled ? undefined : answers[0];
}

const EDITS = 'Yes, accept edits';
const ASKED = 'Yes, ask me';
const CHOICES: readonly Choice[] = [
  {label: EDITS, description: 'Edits in this folder run without a question (mode accept-edits).'},
  {label: ASKED, description: 'Each change is asked about (mode ask).'},
  {label: 'Keep planning', description: 'Nothing changes.'},
];
const MODES: ReadonlyMap<string, 'accept-edits' | 'ask'> = new Map([
  [EDITS, 'accept-edits'],
  [ASKED, 'ask'],
]);

const TOO_LONG = {
  code: 'BAD_ARGS',
  message: `The plan has more than ${MAX_PLAN_CHARS} characters.`,
  hint: 'Say it in fewer words.',
} as const;

const NOT_PLANNING = {
  code: 'UNAVAILABLE',
  message: 'Plan mode is not active.',
  hint: 'Go on with the work.',
} as const;

const NOBODY = {
  code: 'UNAVAILABLE',
  message: 'Nobody is here to accept the plan.',
  hint: 'Give the plan as your answer; the mode stays plan.',
} as const;
