import {beforeAll, describe, expect, it} from 'vitest';
import {hunksOf} from '../../../../src/text/diff/hunks.ts';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import type {ApprovalQuestion} from '../../../../src/hosts/tui/host-adapter.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type Dialog, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {bottomLines} from '../../../../src/hosts/tui/views/bottom-lines.ts';
import {loadDiff} from '../../../../src/hosts/tui/views/diff/load-diff.ts';

beforeAll(loadDiff);

const SIZES = [
  {columns: 20, rows: 6},
  {columns: 40, rows: 10},
];

const COMMAND: ApprovalQuestion = {
  id: 'c1',
  tool: 'bash',
  reason: 'rm: no rule allows it',
  subject: [{text: 'rm -rf build'}],
  diffs: [],
  rules: [{rule: 'bash:rm -rf build', meaning: 'exactly this'}],
};
const EDIT: ApprovalQuestion = {
  ...COMMAND,
  tool: 'edit',
  diffs: [{path: 'a.txt', before: 'one\ntwo\n', after: 'one\n2\n', hunks: hunksOf('one\ntwo\n', 'one\n2\n')}],
};

/** The rows of a dialog while a turn runs. */
function shown(dialog: Dialog, size: {readonly columns: number; readonly rows: number}): readonly string[] {
  const state: ScreenState = {
    ...initialState({size, now: 0, appName: 'Fettle', folder: 'app', info: {mode: 'ask'}, keymap: createKeymap().keymap}),
    work: {startedAt: 0, heardAt: 0, isCancelling: false, what: 'turn'},
    dialogs: [dialog],
  };
  const {lines} = bottomLines(state);
  expect(lines.length).toBeLessThanOrEqual(size.rows);
  return lines.map(plainText);
}

describe('on a low screen', () => {
  it.each(SIZES)('an approval shows what would run before the rule and the row of work ($columns×$rows)', (size) => {
    expect(shown({type: 'approval', id: 'c1', question: COMMAND, choice: 0, scroll: 0}, size)).toMatchSnapshot();
  });

  it('the rule can be scrolled to', () => {
    expect(shown({type: 'approval', id: 'c1', question: COMMAND, choice: 0, scroll: 2}, {columns: 20, rows: 6})).toMatchSnapshot();
  });

  it.each(SIZES)('a change that is chosen on its own is seen ($columns×$rows)', (size) => {
    const dialog = {type: 'approval', id: 'c1', question: EDIT, choice: 0, hunks: {at: 0, chosen: []}} as const;
    expect([shown({...dialog, scroll: 0}, size), shown({...dialog, scroll: 2}, size)]).toMatchSnapshot();
  });

  it.each(SIZES.flatMap((size) => [0, 2, 4].map((at) => ({...size, at}))))(
    'the option under the cursor is shown with its question ($columns×$rows, option $at)',
    ({at, ...size}) => {
      const options = ['Red', 'Green', 'Blue', 'Black'].map((label) => ({label, description: `the colour ${label} of the page`}));
      const question = {header: 'Colour', question: 'Which colour should the button of the page have?', options, multiple: false};
      const dialog = {type: 'questions', id: 'q1', questions: [question], tab: 0, at: [at], chosen: [[]]} as const;
      expect(shown(dialog, size)).toMatchSnapshot();
    },
  );
});
