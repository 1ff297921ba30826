import {describe, expect, it} from 'vitest';
import {commentsText, quoteComments} from '../../../src/tools/ports/review-comments.ts';
import type {ExitPlanResult} from '../../../src/tools/operations/meta/exit-plan.ts';
import {planText} from '../../../src/tools/toolsets/plan-text.ts';

const PLAN = ['# Plan', '', '1. Cut', '2. Sew', '3. Iron', '4. Fold', '5. Pack', '6. Send', '7. Wait'].join('\n');
const COMMENTS: NonNullable<ExitPlanResult['comments']> = quoteComments(PLAN, [
  {lines: [3, 9], comment: 'Too many steps.'},
  {comment: 'In English, please.'},
  {lines: [3, 3], comment: 'Twice.\nAnd slowly.'},
]).map(({quote, ...rest}) => ({...rest, quote: [...quote]}));

const said = (result: ExitPlanResult): string => planText(result).text;

describe('what a model reads of comments', () => {
  it('sent back', () => {
    expect(said({mode: null, comments: COMMENTS})).toMatchInlineSnapshot(`
      "The plan is not accepted: keep planning. They commented on it:

      On the whole plan:
      In English, please.

      On lines 3-9:
      > 1. Cut
      > 2. Sew
      > 3. Iron
      > 4. Fold
      > 5. Pack
      > … 2 more lines
      Too many steps.

      On line 3:
      > 1. Cut
      Twice.
      And slowly."
    `);
  });

  it('accepted', () => {
    expect(said({mode: 'ask', comments: COMMENTS.slice(1, 2), steps: 7})).toMatchInlineSnapshot(`
      "The user accepted the plan. The mode is ask now: carry it out as they commented. Its 7 steps are the task list now: keep it up to date.

      On lines 3-9:
      > 1. Cut
      > 2. Sew
      > 3. Iron
      > 4. Fold
      > 5. Pack
      > … 2 more lines
      Too many steps."
    `);
  });

  it('words and comments', () => {
    expect(said({mode: null, feedback: 'No.', comments: COMMENTS.slice(0, 1)})).toMatchInlineSnapshot(`
      "The plan is not accepted: keep planning. They said: No.

      On the whole plan:
      In English, please."
    `);
  });

  it('none: as before', () => {
    expect([said({mode: null}), said({mode: 'ask', comments: []})]).toEqual([
      'The plan is not accepted: keep planning. Change nothing yet.',
      'The user accepted the plan. The mode is ask now: carry it out.',
    ]);
  });

  it('accepted, and changed in its file', () => {
    expect(said({mode: 'ask', comments: COMMENTS.slice(1, 2), changed: '1. Sew'})).toMatchInlineSnapshot(`
      "The user accepted the plan. The mode is ask now: carry it out as they commented.

      On lines 3-9:
      > 1. Cut
      > 2. Sew
      > 3. Iron
      > 4. Fold
      > 5. Pack
      > … 2 more lines
      Too many steps.

      They changed it before. This is what counts:
      1. Sew"
    `);
  });

  it('lines that the text does not have are quoted as nothing', () => {
    expect(commentsText(quoteComments('one', [{lines: [5, 6], comment: 'x'}]))).toBe('On lines 5-6:\nx');
  });
});
