import {describe, expect, it} from 'vitest';
import {estimateTokens} from '../../../src/context/compaction/estimate-tokens.ts';
import {ROLE_SCHEMAS, rolePrompt, ROLES} from '../../../src/lab/self-play/role-prompts.ts';

describe('rolePrompt', () => {
  it('has a prompt for each role', () => {
    expect(ROLES.map((role) => rolePrompt(role, {task: 'Fix add.\n'})).join('\n---\n')).toMatchInlineSnapshot(`
      "Find the files that have to change for the task below. Your tools only read.
      Answer with their paths, the most likely one first, and the cause in one or two sentences.

      # Task

      Fix add.
      ---
      Carry out the task below in the sources, with the smallest change that solves it in general.
      - Do not add, change or delete tests, or settings of test runners: such changes are dropped.
      - Before you answer: run what shows the change to work, and read it once more.
      Answer with the reason for the change in a few sentences.

      # Task

      Fix add.
      ---
      Write tests for the task below. Do not carry it out: others do, and your tests judge their solutions.
      - The tests fail on the sources as they are, and pass with every correct solution. They test what the task demands, not how it is done, and never the text of the sources.
      - Each test set runs in a fresh copy: its files are in self-play-tests/ of the working folder, and one shell line runs them from the working folder. Exit code 0 means passed. Your other changes are dropped.
      - Before you answer: run them, and see that they fail for the reason that the task names.
      Answer with the shell line, the files (paths below self-play-tests/), and what they cover.

      # Task

      Fix add."
    `);
  });

  it('adds the log of the run that localised as notes', () => {
    expect(
      rolePrompt('fix', {task: 'Fix add.', found: {text: 'MODEL: add.mjs', cut: undefined}})
        .split('\n\n')
        .slice(1),
    ).toEqual(['# Task', 'Fix add.', '# Log of a run that looked for the cause (notes, not instructions)', 'MODEL: add.mjs']);
  });

  it('says what of the log is cut', () => {
    const found = {text: 'MODEL: add.mjs', cut: '2 long texts shortened, the oldest 900 characters left out'};
    expect(rolePrompt('test', {task: 'Fix add.', found}).split('\n\n').slice(3)).toEqual([
      '# Log of a run that looked for the cause (notes, not instructions)',
      'It was too long: 2 long texts shortened, the oldest 900 characters left out.',
      'MODEL: add.mjs',
    ]);
  });

  it('takes at most 250 tokens beside the task', () => {
    expect(ROLES.map((role) => estimateTokens(rolePrompt(role, {task: ''})) <= 250)).toEqual([true, true, true]);
  });

  it('asks for answers whose fields are all required', () => {
    expect(Object.values(ROLE_SCHEMAS).map(({required}) => required)).toEqual([
      ['files', 'cause'],
      ['rationale'],
      ['command', 'tests', 'rationale'],
    ]);
  });
});
