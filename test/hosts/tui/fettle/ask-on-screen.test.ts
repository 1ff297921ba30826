import {describe, expect, it} from 'vitest';
import {askOnScreen} from '../../../../src/hosts/tui/fettle/ask-on-screen.ts';
import type {PlanQuestion, PlanReply} from '../../../../src/hosts/tui/plan/plan-question.ts';
import type {Question} from '../../../../src/tools/ports/user-questions.ts';
import {fakeScreen, never} from './session-support.ts';

const QUESTION: Question = {
  question: 'one\n\nCarry out this plan?',
  header: 'Plan',
  options: [
    {label: 'Yes', description: 'now'},
    {label: 'No', description: ''},
  ],
  multiSelect: false,
};
const REVIEW: Question = {...QUESTION, review: {text: 'one', path: 'plan.md', accepts: ['Yes']}};

describe('askOnScreen', () => {
  it('a question about a text is a review of it; comments come back with their lines', async () => {
    const asked: PlanQuestion[] = [];
    const reply: PlanReply = {choice: 'No', comments: [{text: 'all'}, {lines: {first: 1, last: 2}, text: 'two'}]};
    const port = fakeScreen({review: async (question) => (asked.push(question), reply)});
    const {question, options} = QUESTION;
    expect(await askOnScreen(port)([REVIEW], never)).toEqual({
      answers: [
        {
          question,
          answer: 'No',
          isOther: false,
          comments: [
            {lines: undefined, comment: 'all'},
            {lines: [1, 2], comment: 'two'},
          ],
        },
      ],
      cancelled: false,
    });
    expect(asked).toEqual([
      {
        plan: 'one',
        path: 'plan.md',
        choices: [
          {...options[0], accepts: true},
          {...options[1], accepts: false},
        ],
      },
    ]);
    expect(port.asked).toEqual([]);
  });

  it.each([
    ['left as it is', async () => undefined],
    ['cancelled', async () => await Promise.reject(new DOMException('', 'AbortError'))],
  ])('%s: no answer', async (_, review) => {
    expect(await askOnScreen(fakeScreen({review}))([REVIEW], never)).toEqual({answers: [], cancelled: true});
  });

  it('several questions are asked as ever, without a review', async () => {
    const port = fakeScreen({ask: async () => [['Yes'], ['mine']]});
    const {header, question, options} = QUESTION;
    expect(await askOnScreen(port)([REVIEW, QUESTION], never)).toEqual({
      answers: [
        {question, answer: 'Yes', isOther: false},
        {question, answer: 'mine', isOther: true},
      ],
      cancelled: false,
    });
    expect(port.asked).toEqual([[1, 2].map(() => ({header, question, options, multiple: false}))]);
  });
});
