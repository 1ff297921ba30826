import {describe, expect, it} from 'vitest';
import type {Mode} from '../../../../src/policy/decision.ts';
import type {ToolContext} from '../../../../src/tools/context.ts';
import {exitPlan} from '../../../../src/tools/operations/meta/exit-plan.ts';
import {createTodoList, type Todo} from '../../../../src/tools/ports/todo-list.ts';
import type {Answers, Question, ReviewComment} from '../../../../src/tools/ports/user-questions.ts';
import type {ToolStreamEvent} from '../../../../src/tools/stream-event.ts';
import {outcomeOf} from '../../support/run-operation.ts';

interface Asked {
  readonly outcome: unknown;
  readonly mode: Mode;
  readonly questions: readonly Question[];
}

async function leave(
  answer: {answer: string; isOther?: boolean; comments?: readonly ReviewComment[]} | 'cancelled' | 'nobody',
  plan?: string,
  start: Mode = 'plan',
): Promise<Asked> {
  let mode: Mode = start;
  const questions: Question[] = [];
  const askUser = async (asked: readonly Question[]): Promise<Answers> => {
    questions.push(...asked);
    if (answer === 'cancelled' || answer === 'nobody') return {answers: [], cancelled: true};
    return {answers: [{question: '', isOther: false, ...answer}], cancelled: false};
  };
  const ctx = {
    signal: new AbortController().signal,
    modes: {current: () => mode, set: (next: Mode) => void (mode = next)},
    todos: createTodoList(),
    askUser: answer === 'nobody' ? undefined : askUser,
  } as unknown as ToolContext;
  const outcome = await outcomeOf(exitPlan, {plan}, {ctx});
  return {outcome, mode, questions};
}

describe('Mistral Vibe › exit_plan_mode', () => {
  it('shows the plan and three ways; "accept with auto edits" leaves the mode plan for accept-edits', async () => {
    expect(await leave({answer: 'Yes, accept edits'}, '1. Do it.\n')).toEqual({
      outcome: {mode: 'accept-edits', steps: 1},
      mode: 'accept-edits',
      questions: [
        {
          question: '1. Do it.\n\nCarry out this plan?',
          header: 'Plan',
          options: [
            {label: 'Yes, accept edits', description: 'Edits in this folder run without a question (mode accept-edits).'},
            {label: 'Yes, ask me', description: 'Each change is asked about (mode ask).'},
            {label: 'Keep planning', description: 'Nothing changes.'},
          ],
          multiSelect: false,
          review: {text: '1. Do it.', path: undefined, accepts: ['Yes, accept edits', 'Yes, ask me']},
        },
      ],
    });
  });

  it('"accept with approvals" leaves it for ask; without a plan the question is short', async () => {
    const {outcome, mode, questions} = await leave({answer: 'Yes, ask me'});
    expect({outcome, mode, question: questions[0]?.question}).toEqual({
      outcome: {mode: 'ask'},
      mode: 'ask',
      question: 'Carry out the plan?',
    });
  });

  it.each([
    ['keep planning', {answer: 'Keep planning'}, {mode: null}],
    ['other', {answer: 'Yes, accept edits', isOther: true}, {mode: null, feedback: 'Yes, accept edits'}],
    ['a name of what every object has', {answer: 'constructor'}, {mode: null}],
    ['no answer', 'cancelled', {mode: null}],
  ] as const)('%s: the mode stays plan', async (_, answer, outcome) => {
    expect(await leave(answer)).toMatchObject({outcome, mode: 'plan'});
  });

  it('nobody is there: the mode stays', async () => {
    expect(await leave('nobody')).toEqual({
      outcome: {
        code: 'UNAVAILABLE',
        message: 'Nobody is here to accept the plan.',
        hint: 'Give the plan as your answer; the mode stays plan.',
      },
      mode: 'plan',
      questions: [],
    });
  });

  it('outside of the mode plan nobody is asked: a model cannot get into a wider mode by it', async () => {
    const refused = {code: 'UNAVAILABLE', message: 'Plan mode is not active.', hint: 'Go on with the work.'};
    for (const mode of ['ask', 'accept-edits', 'full-auto'] as const) {
      expect(await leave({answer: 'Yes, accept edits'}, '', mode)).toEqual({outcome: refused, mode, questions: []});
    }
  });

  it('a plan that nobody can read is refused before it is shown', async () => {
    expect(await leave({answer: 'Yes, ask me'}, 'x'.repeat(20_001))).toEqual({
      outcome: {code: 'BAD_ARGS', message: 'The plan has more than 20000 characters.', hint: 'Say it in fewer words.'},
      mode: 'plan',
      questions: [],
    });
  });
});

/** A plan that lies in a file; `meanwhile` is what the person makes of it before they answer. */
async function review(plan: string | undefined, file: {text?: string; meanwhile?: string}, answer = 'Yes, ask me') {
  let mode: Mode = 'plan';
  let {text} = file;
  const stale: Todo = {id: 'old', content: 'of another task', status: 'pending', priority: 'low'};
  const todos = createTodoList([stale]);
  const asked: string[] = [];
  const events: ToolStreamEvent[] = [];
  const ctx = {
    signal: new AbortController().signal,
    modes: {current: () => mode, set: (next: Mode) => void (mode = next)},
    todos,
    plan: {path: '.fettle/tasks/t/plan.md', read: async () => text, write: async (next: string) => void (text = next)},
    askUser: async ([question]: readonly Question[]): Promise<Answers> => {
      asked.push(question?.question ?? '');
      text = file.meanwhile ?? text;
      return {answers: [{question: '', answer, isOther: false}], cancelled: false};
    },
  } as unknown as ToolContext;
  const outcome = await outcomeOf(exitPlan, {plan}, {ctx, events});
  return {outcome, asked, file: text, todos: todos.read().map(({content, verify}) => ({content, verify})), told: events.length};
}

describe('comments on a plan', () => {
  const PLAN = '# Plan\n\n1. Cut\r\n2. Sew';
  const comments: readonly ReviewComment[] = [
    {lines: [3, 4], comment: ' Measure first.\n'},
    {comment: 'Too short'},
    {lines: [1, 1], comment: '  '},
  ];
  const quoted = [
    {lines: undefined, quote: [], comment: 'Too short'},
    {lines: '3-4', quote: ['1. Cut', '2. Sew'], comment: 'Measure first.'},
  ];

  it.each([
    ['sent back', {answer: 'Keep planning', comments}, {mode: null, comments: quoted}, 'plan'],
    ['accepted', {answer: 'Yes, ask me', comments}, {mode: 'ask', comments: quoted, steps: 2}, 'ask'],
    ['with words besides', {answer: 'no', isOther: true, comments}, {mode: null, feedback: 'no', comments: quoted}, 'plan'],
    ['none of them', {answer: 'Yes, ask me', comments: []}, {mode: 'ask', steps: 2}, 'ask'],
  ] as const)('%s: each goes with the lines that it belongs to', async (_, answer, outcome, mode) => {
    expect(await leave(answer, PLAN)).toMatchObject({outcome, mode});
  });

  it('a text that nobody wrote is not reviewed', async () => {
    expect((await leave({answer: 'Keep planning'})).questions[0]?.review).toBeUndefined();
  });
});

describe('VT Code › plan mode: the plan file', () => {
  it('keeps the plan in its file; the steps take the place of whatever list there was (VT Code kept a stale one)', async () => {
    expect(await review('1. Cut -> verify: npm test\n2. Sew', {})).toEqual({
      outcome: {mode: 'ask', steps: 2},
      asked: ['1. Cut -> verify: npm test\n2. Sew\n\nCarry out this plan? It is in .fettle/tasks/t/plan.md; edit it there if you like.'],
      file: '1. Cut -> verify: npm test\n2. Sew\n',
      todos: [
        {content: 'Cut', verify: ['npm test']},
        {content: 'Sew', verify: undefined},
      ],
      told: 1,
    });
  });

  it('without a plan in the call, the file is shown', async () => {
    expect(await review(undefined, {text: 'Just do it.\n'})).toMatchObject({
      outcome: {mode: 'ask'},
      asked: [expect.stringMatching(/^Just do it\.\n\nCarry out this plan\?/)],
      todos: [{content: 'of another task'}],
      told: 0,
    });
  });

  it('what the person changes in the file before they accept is the plan', async () => {
    expect(await review('1. Cut', {meanwhile: '1. Cut twice\n'})).toMatchObject({
      outcome: {mode: 'ask', steps: 1, changed: '1. Cut twice'},
      todos: [{content: 'Cut twice'}],
    });
  });

  it('keep planning: the list stays as it was', async () => {
    expect(await review('1. Cut', {}, 'Keep planning')).toMatchObject({
      outcome: {mode: null},
      todos: [{content: 'of another task'}],
      told: 0,
    });
  });
});
