import type {Answer, Answers, AskUser, Question, ReviewedText} from '../../../tools/ports/user-questions.ts';
import type {ScreenPort} from '../host-adapter.ts';

/**
 * Puts the questions of a model on the screen; one that is about a text is a review of it. A person who leaves them, or a turn that is
 * cancelled, cancels all of them.
 */
export function askOnScreen(port: Pick<ScreenPort, 'ask' | 'review'>): AskUser {
  return async (questions, signal): Promise<Answers> => {
    const [only] = questions;
    if (only?.review !== undefined && questions.length === 1) return await reviewed(port, {...only, review: only.review}, signal);
    const asked = questions.map(({multiSelect, header, question, options}) => ({header, question, options, multiple: multiSelect}));
    const chosen = await port.ask(asked, signal).catch(() => undefined);
    if (chosen === undefined) return CANCELLED;
    return {answers: questions.map((question, index) => answerTo(question, chosen[index] ?? [])), cancelled: false};
  };
}

const CANCELLED: Answers = {answers: [], cancelled: true};

async function reviewed(
  port: Pick<ScreenPort, 'review'>,
  {question, options, review}: Question & {readonly review: ReviewedText},
  signal: AbortSignal,
): Promise<Answers> {
  const {text, path, accepts} = review;
  const choices = options.map(({label, description}) => ({label, description, accepts: accepts.includes(label)}));
  const reply = await port.review({plan: text, path, choices}, signal).catch(() => undefined);
  if (reply === undefined) return CANCELLED;
  const comments = reply.comments.map(({lines, text: comment}) => ({
    lines: lines === undefined ? undefined : ([lines.first, lines.last] as const),
    comment,
  }));
  return {answers: [{question, answer: reply.choice, isOther: false, comments}], cancelled: false};
}

function answerTo({question, options}: Question, chosen: readonly string[]): Answer {
  const labels = new Set(options.map(({label}) => label));
  return {question, answer: chosen.join(', '), isOther: chosen.length === 0 || chosen.some((one) => !labels.has(one))};
}
