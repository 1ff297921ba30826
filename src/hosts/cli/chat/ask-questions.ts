import {visibleText} from '../../../base/visible-text.ts';
import type {Answer, Answers, Choice, Question} from '../../../tools/ports/user-questions.ts';
import type {Io} from '../io.ts';
import type {LineEditor} from './line-editor.ts';

export interface Asking {
  readonly io: Pick<Io, 'note' | 'paint'>;
  readonly lines: Pick<LineEditor, 'question'>;
}

/**
 * Puts the questions of a model to a person, one after the other: choices by number or label, several with commas where that is allowed,
 * anything else as an answer in their own words. An input that ends, or a turn that is cancelled, cancels all of them.
 */
export async function askQuestions(asking: Asking, questions: readonly Question[], signal: AbortSignal): Promise<Answers> {
  const answers: Answer[] = [];
  try {
    for (const question of questions) answers.push(await askOne(asking, question, signal));
  } catch {
    return {answers: [], cancelled: true};
  }
  return {answers, cancelled: false};
}

async function askOne({io, lines}: Asking, question: Question, signal: AbortSignal): Promise<Answer> {
  const {header, options, multiSelect} = question;
  io.note(`\n${io.paint('yellow', `[${visibleText(header)}]`)} ${visibleText(question.question)}`);
  for (const [index, {label, description}] of options.entries()) {
    const more = description.trim() === '' ? '' : io.paint('dim', ` - ${visibleText(description)}`);
    io.note(`  ${index + 1}. ${visibleText(label)}${more}`);
  }
  const prompt = multiSelect ? 'Numbers with commas between, or your own answer: ' : 'A number, or your own answer: ';
  for (;;) {
    const typed = (await lines.question(prompt, {signal})).trim();
    const understood = understand(typed, question);
    if (typeof understood !== 'string') return {question: question.question, ...understood};
    io.note(understood);
  }
}

/** The answer, or a message to a person who has to answer again. */
function understand(typed: string, {options, multiSelect}: Question): Omit<Answer, 'question'> | string {
  if (typed === '') return 'Choose one, or write an answer; Ctrl-C cancels.';
  const parts = multiSelect ? typed.split(/\s*,\s*|\s+(?=\d+\b)/).filter((part) => part !== '') : [typed];
  const chosen = parts.map((part) => choiceOf(part, options));
  const missing = parts.find((part, index) => /^\d+$/.test(part) && chosen[index] === undefined);
  if (missing !== undefined && parts.every((part) => /^\d+$/.test(part))) return `There is no choice ${missing}: 1 to ${options.length}.`;
  const labels = [...new Set(chosen.flatMap((choice) => choice?.label ?? []))];
  if (labels.length === 0 || chosen.includes(undefined)) return {answer: typed, isOther: true};
  return {answer: labels.join(', '), isOther: false};
}

function choiceOf(part: string, options: readonly Choice[]): Choice | undefined {
  if (/^\d+$/.test(part)) return options[Number(part) - 1];
  return options.find(({label}) => label.trim().toLowerCase() === part.toLowerCase());
}
