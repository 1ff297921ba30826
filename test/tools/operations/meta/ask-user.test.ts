import {describe, expect, it} from 'vitest';
import type {ToolContext} from '../../../../src/tools/context.ts';
import {askUser, type AskUserArgs} from '../../../../src/tools/operations/meta/ask-user.ts';
import type {Answers, AskUser, Question} from '../../../../src/tools/ports/user-questions.ts';
import {outcomeOf} from '../../support/run-operation.ts';

const choices = (count: number): Question['options'] =>
  Array.from({length: count}, (_, index) => ({label: `choice ${index + 1}`, description: 'why'}));

type Asked = AskUserArgs['questions'][number];
const question = (over: Partial<Asked> = {}): Asked => ({
  question: 'Which database?',
  header: 'Database',
  options: [...choices(2)],
  multiSelect: false,
  ...over,
});

function ask(questions: Asked[], askOnScreen?: AskUser): Promise<unknown> {
  return outcomeOf(askUser, {questions}, {ctx: {askUser: askOnScreen, signal: new AbortController().signal} as ToolContext});
}

const BOUNDS = 'Ask 1 to 4 questions with 2 to 4 different choices each; a free answer is offered by itself.';

describe('vibe tool system › Ask User Question Tool', () => {
  it('gives the answers of the person, who sees the questions with short headers', async () => {
    const answers: Answers = {answers: [{question: 'Which database?', answer: 'choice 2', isOther: false}], cancelled: false};
    const seen: (readonly Question[])[] = [];
    const asked = ask([question({header: 'Databases 🗄️ and more'})], async (questions) => {
      seen.push(questions);
      return answers;
    });
    expect(await asked).toEqual(answers);
    expect(seen).toEqual([[{question: 'Which database?', header: 'Databases 🗄️', options: choices(2), multiSelect: false}]]);
  });

  it('a person who does not answer cancels', async () => {
    expect(await ask([question()], async () => ({answers: [], cancelled: true}))).toEqual({answers: [], cancelled: true});
  });

  it('"Requires interactive UI": without a person the model is told so, and what to do', async () => {
    expect(await ask([question()])).toEqual({
      code: 'UNAVAILABLE',
      message: 'Nobody is here to answer questions.',
      hint: 'Decide yourself: take the safest choice, and state your assumptions in the answer.',
    });
  });

  it.each<[string, Asked[], string]>([
    ['no question', [], '0 questions are not 1 to 4.'],
    ['five questions', Array.from({length: 5}, () => question()), '5 questions are not 1 to 4.'],
    ['one choice', [question({options: [...choices(1)]})], '"Which database?" has 1 choices, not 2 to 4.'],
    ['five choices', [question(), question({options: [...choices(5)]})], '"Which database?" has 5 choices, not 2 to 4.'],
    ['an empty question', [question({question: ' '})], 'A question is empty.'],
    [
      'two choices of one name',
      [question({options: [...choices(1), ...choices(1)]})],
      'Each choice of "Which database?" needs a label of its own.',
    ],
  ])('"1-4 questions, 2-4 choices": %s is refused before anybody is asked', async (_, questions, message) => {
    expect(await ask(questions, async () => expect.unreachable())).toEqual({code: 'BAD_ARGS', message, hint: BOUNDS});
  });
});
