import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {plainOperation} from '../../operation.ts';

/** Limits of one question dialog (vibe tool system › Ask User Question Tool). */
const ASKING = {maxQuestions: 4, minOptions: 2, maxOptions: 4, maxHeaderChars: 12, maxChars: 4000} as const;

const args = z.object({
  questions: z.array(
    z.object({
      question: z.string(),
      header: z.string(),
      options: z.array(z.object({label: z.string(), description: z.string()})),
      multiSelect: z.boolean(),
    }),
  ),
});

const result = z.object({
  answers: z.array(z.object({question: z.string(), answer: z.string(), isOther: z.boolean()})),
  cancelled: z.boolean(),
});

export type AskUserArgs = z.infer<typeof args>;
export type AskUserResult = z.infer<typeof result>;

/**
 * Asks a person one to four questions with two to four choices each; a free answer is always possible. A header that is too long is cut:
 * a toolset can refuse it by its schema. Throws UNAVAILABLE if nobody is there, BAD_ARGS beyond the bounds.
 */
export const askUser = plainOperation<AskUserArgs, AskUserResult>({
  id: 'ui.ask',
  permission: 'ask_user_question',
  args,
  result,
  sideEffect: 'interact',
  subjects: async () => [],
  async run({questions}, ctx) {
    for (const problem of problemsOf(questions)) throw new FettleError({code: 'BAD_ARGS', message: problem, hint: BOUNDS});
    if (ctx.askUser === undefined) throw new FettleError(NOBODY);
    const short = questions.map((question) => ({
      ...question,
      header: Array.from(question.header).slice(0, ASKING.maxHeaderChars).join(''),
    }));
    const {answers, cancelled} = await ctx.askUser(short, ctx.signal);
    return {answers: [...answers], cancelled};
  },
});

function problemsOf(questions: AskUserArgs['questions']): string[] {
  const {maxQuestions, minOptions, maxOptions, maxChars} = ASKING;
  if (questions.length < 1 || questions.length > maxQuestions) return [`${questions.length} questions are not 1 to ${maxQuestions}.`];
  const texts = questions.flatMap(({question, options}) => [question, ...options.flatMap(({label, description}) => [label, description])]);
  if (texts.some((text) => text.length > maxChars)) return [`A question or a choice has more than ${maxChars} characters.`];
  return questions.flatMap(({question, options}) => {
    if (question.trim() === '') return ['A question is empty.'];
    const labels = new Set(options.map(({label}) => label.trim()));
    if (labels.has('') || labels.size < options.length) return [`Each choice of "${question}" needs a label of its own.`];
    const fits = options.length >= minOptions && options.length <= maxOptions;
    return fits ? [] : [`"${question}" has ${options.length} choices, not ${minOptions} to ${maxOptions}.`];
  });
}

const BOUNDS = 'Ask 1 to 4 questions with 2 to 4 different choices each; a free answer is offered by itself.';

const NOBODY = {
  code: 'UNAVAILABLE',
  message: 'Nobody is here to answer questions.',
  hint: 'Decide yourself: take the safest choice, and state your assumptions in the answer.',
} as const;
