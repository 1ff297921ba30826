import {beforeAll, describe, expect, it} from 'vitest';
import {lineWidth} from '../../../../src/hosts/tui/cells/wrap-line.ts';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ApprovalDialog} from '../../../../src/hosts/tui/model/screen-state.ts';
import {approvalLines} from '../../../../src/hosts/tui/approval/approval-lines.ts';
import {hunksOf} from '../../../../src/text/diff/hunks.ts';
import {loadDiff} from '../../../../src/hosts/tui/views/diff/load-diff.ts';
import {notation} from '../views/notation.ts';

const numbered = (changed: readonly number[], end = '\n') =>
  Array.from({length: 30}, (_, index) => `${changed.includes(index) ? 'new' : 'old'} ${index + 1}${end}`).join('');

function dialog(hunks: ApprovalDialog['hunks'], change: Partial<ApprovalDialog> = {}): ApprovalDialog {
  const [before, after] = [numbered([]), `${numbered([1, 17])}behind`];
  const diffs = [
    {path: 'src/a.txt', before, after, hunks: hunksOf(before, after)},
    {path: 'b.txt', after: 'b\r\n\u001B[2Jc', hunks: hunksOf('', 'b\r\n\u001B[2Jc')},
  ];
  const question = {id: 'call_1', tool: 'edit', reason: 'edits are asked about', subject: [{text: 'write src/a.txt'}], diffs, rules: []};
  return {type: 'approval', id: 'call_1', question, choice: 0, scroll: 0, hunks, ...change};
}

function drawn(asked: ApprovalDialog, {columns, rows}: {columns: number; rows: number}) {
  const size = {columns, rows: rows + 4};
  const state = initialState({size, now: 0, appName: 'Fettle', folder: 'w', keymap: createKeymap().keymap});
  return approvalLines({...state, dialogs: [asked]}, asked, rows).lines;
}

beforeAll(loadDiff);

describe('changes that are chosen one by one', () => {
  it('are an answer among the others', () => {
    const lines = drawn(dialog(undefined), {columns: 60, rows: 60}).map(plainText);
    expect(lines.slice(-4)).toMatchInlineSnapshot(`
      [
        "▸ y Yes, once",
        "  h Choose changes one by one",
        "  n No",
        "  f No, and say what to do instead",
      ]
    `);
  });

  it.each<[string, ApprovalDialog['hunks']]>([
    ['the first, nothing taken', {at: 0, chosen: []}],
    ['in the middle', {at: 1, chosen: ['0:0', '0:1']}],
    ['a file that is new, with signs that would steer a terminal', {at: 3, chosen: ['0:0']}],
  ])('%s', (_name, hunks) => {
    expect(notation(drawn(dialog(hunks), {columns: 80, rows: 20}))).toMatchSnapshot();
  });

  it('of a very long one the beginning is shown', () => {
    const after = Array.from({length: 600}, (_, index) => `${index}\n`).join('');
    const asked = dialog({at: 2, chosen: []});
    const diffs = [...asked.question.diffs.slice(0, 1), {path: 'c.txt', after, hunks: hunksOf('', after)}];
    const long = {...asked, question: {...asked.question, diffs}, hunks: {at: 3, chosen: []}};
    expect(drawn(long, {columns: 80, rows: 600}).slice(-3).map(plainText)).toMatchSnapshot();
  });

  it.each([
    [20, 5],
    [12, 2],
    [40, 8],
    [80, 1],
  ])('fit into %i columns and %i rows, scrolled too', (columns, rows) => {
    for (const scroll of [0, 3, 1000]) {
      const lines = drawn(dialog({at: 1, chosen: []}, {scroll}), {columns, rows});
      expect([lines.length <= rows, lines.every((line) => lineWidth(line) <= columns)]).toEqual([true, true]);
    }
  });
});
