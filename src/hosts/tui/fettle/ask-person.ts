import type {Answer, Answers, AskUser, Question} from '../../../tools/user-questions.ts';
import type {ScreenPort} from '../host-adapter.ts';

/** Puts the questions of a model on the screen. A person who leaves them, or a turn that is cancelled, cancels all of them. */
export function askPerson(port: Pick<ScreenPort, 'ask'>): AskUser {
  return async (questions, signal): Promise<Answers> => {
    const asked = questions.map(({multiSelect, ...question}) => ({...question, multiple: multiSelect}));
    const chosen = await port.ask(asked, signal).catch(() => undefined);
    if (chosen === undefined) return {answers: [], cancelled: true};
    return {answers: questions.map((question, index) => answerTo(question, chosen[index] ?? [])), cancelled: false};
  };
}

function answerTo({question, options}: Question, chosen: readonly string[]): Answer {
  const labels = new Set(options.map(({label}) => label));
  return {question, answer: chosen.join(', '), isOther: chosen.length === 0 || chosen.some((one) => !labels.has(one))};
}
