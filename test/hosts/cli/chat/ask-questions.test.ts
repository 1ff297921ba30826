import {describe, expect, it} from 'vitest';
import {askQuestions} from '../../../../src/hosts/cli/chat/ask-questions.ts';
import type {Answers, Question} from '../../../../src/tools/ports/user-questions.ts';

const database: Question = {
  question: 'Which database?',
  header: 'Database',
  options: [
    {label: 'SQLite', description: 'one file'},
    {label: 'Postgres', description: ''},
    {label: 'None at all', description: 'keep it in memory'},
  ],
  multiSelect: false,
};
const several: Question = {...database, question: 'Which ones?', multiSelect: true};

/** A terminal on which the lines are typed; then its input ends. */
async function answer(questions: readonly Question[], typed: readonly string[], signal = new AbortController().signal) {
  const notes: string[] = [];
  const waiting = [...typed];
  const lines = {
    async question(query: string, options: {readonly signal: AbortSignal}): Promise<string> {
      notes.push(query);
      const line = waiting.shift();
      if (line === undefined || options.signal.aborted) throw new Error('closed');
      return line;
    },
  };
  const io = {note: (line: string) => void notes.push(line), paint: (_: unknown, text: string) => text};
  const answers: Answers = await askQuestions({io, lines}, questions, signal);
  return {answers, notes};
}

const CANCELLED = {answers: [], cancelled: true};

describe('askQuestions', () => {
  it('shows header, question and numbered choices, and asks again after what is not an answer', async () => {
    const {answers, notes} = await answer([database], ['', '4', '2']);
    expect(answers).toEqual({answers: [{question: 'Which database?', answer: 'Postgres', isOther: false}], cancelled: false});
    expect(notes).toMatchInlineSnapshot(`
      [
        "
      [Database] Which database?",
        "  1. SQLite - one file",
        "  2. Postgres",
        "  3. None at all - keep it in memory",
        "A number, or your own answer: ",
        "Choose one, or write an answer; Ctrl-C cancels.",
        "A number, or your own answer: ",
        "There is no choice 4: 1 to 3.",
        "A number, or your own answer: ",
      ]
    `);
  });

  it.each<[string, Question, string, string, boolean]>([
    ['a number', database, ' 1 ', 'SQLite', false],
    ['a label, in any case', database, 'none AT all', 'None at all', false],
    ['vibe tool system: automatic "Other" free-text option', database, 'MySQL, please', 'MySQL, please', true],
    ['a sentence that begins with a number', database, '3 replicas of it', '3 replicas of it', true],
    ['several numbers', several, '1,3', 'SQLite, None at all', false],
    ['several numbers with blanks', several, '1 2', 'SQLite, Postgres', false],
    ['numbers and labels', several, '2, sqlite', 'Postgres, SQLite', false],
    ['the same choice twice', several, '2, Postgres', 'Postgres', false],
    ['choices and more: all of it is the answer', several, '1, and a cache', '1, and a cache', true],
  ])('%s', async (_, question, typed, text, isOther) => {
    expect((await answer([question], [typed])).answers).toEqual({
      answers: [{question: question.question, answer: text, isOther}],
      cancelled: false,
    });
  });

  it('asks one after the other; the end of the input cancels all', async () => {
    expect((await answer([database, several], ['1', '2'])).answers.answers.map((given) => given.answer)).toEqual(['SQLite', 'Postgres']);
    expect((await answer([database, several], ['1'])).answers).toEqual(CANCELLED);
  });

  it('a cancelled turn cancels', async () => {
    expect((await answer([database], ['1'], AbortSignal.abort())).answers).toEqual(CANCELLED);
  });

  it('text of a model has no power over the terminal', async () => {
    const hostile = {...database, header: '\u001B[2J', question: 'Really?\u001B]0;x\u0007'};
    const {notes} = await answer([hostile], ['1']);
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(notes.join('')).not.toMatch(/[\u001B\u0007]/);
  });
});
