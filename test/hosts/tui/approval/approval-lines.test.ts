import {beforeAll, describe, expect, it} from 'vitest';
import type {ApprovalQuestion} from '../../../../src/hosts/tui/host-adapter.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ApprovalDialog} from '../../../../src/hosts/tui/model/screen-state.ts';
import {approvalLines} from '../../../../src/hosts/tui/approval/approval-lines.ts';
import {loadDiff} from '../../../../src/hosts/tui/views/diff/load-diff.ts';
import {notation} from '../views/notation.ts';

beforeAll(loadDiff);

const COMMAND: ApprovalQuestion = {
  id: 'c1',
  tool: 'bash',
  reason: 'rm: no rule allows it',
  subject: [{text: 'ls && '}, {text: 'rm -rf build', risky: true}],
  diffs: [],
  rules: [{rule: 'bash:rm -rf build', meaning: 'exactly this'}],
};
const EDIT: ApprovalQuestion = {
  ...COMMAND,
  tool: 'edit',
  reason: 'a.txt: no rule allows this write',
  subject: [{text: 'write '}, {text: 'a.txt'}],
  diffs: [{path: 'a.txt', before: 'one\ntwo\n', after: 'one\n2\n'}],
  rules: [],
};

function shown(
  question: ApprovalQuestion,
  {columns, rows}: {readonly columns: number; readonly rows: number},
  more: Partial<ApprovalDialog> = {},
) {
  const keymap = createKeymap().keymap;
  const state = initialState({size: {columns, rows}, now: 0, appName: 'Fettle', folder: 'app', keymap});
  const dialog: ApprovalDialog = {type: 'approval', id: 'c1', question, choice: 0, scroll: 0, ...more};
  return notation(approvalLines({...state, dialogs: [dialog]}, dialog, rows).lines);
}

describe('approvalLines', () => {
  it('shows the whole command with its risky part, the reason and the rule', () => {
    expect(shown(COMMAND, {columns: 60, rows: 20})).toMatchInlineSnapshot(`
      "{warning+bold:Allow this command?}
      {dim:rm: no rule allows it}
        ls && {error+bold:rm -rf build}
      {dim:  rule }{code:bash:rm -rf build}{dim:  exactly this · e edits it}
      {accent:▸ }{accent:y }{selected:Yes, once}
      {accent:  }{accent:s }Yes, and allow this rule for the session
      {accent:  }{accent:a }Yes, and always allow this rule in this project
      {accent:  }{accent:n }No
      {accent:  }{accent:f }No, and say what to do instead"
    `);
  });

  it('shows an edit as a diff, and its path once', () => {
    expect(shown(EDIT, {columns: 60, rows: 20})).toMatchInlineSnapshot(`
      "{warning+bold:Allow this edit?}
      {dim:a.txt: no rule allows this write}
      {bold:a.txt}{added: +1}{removed: −1}
      {dim:1 1 }  one
      {dim:2   }{removed:- }{removed:two}
      {dim:  2 }{added:+ }{added:2}
      {accent:▸ }{accent:y }{selected:Yes, once}
      {accent:  }{accent:n }No
      {accent:  }{accent:f }No, and say what to do instead"
    `);
  });

  it('keeps what is asked about on a low screen: the answers stand in a row', () => {
    expect(shown(COMMAND, {columns: 40, rows: 7})).toMatchInlineSnapshot(`
      "{warning+bold:Allow this command?}
      {dim:rm: no rule allows it}
        ls && {error+bold:rm -rf build}
      {dim:  rule }{code:bash:rm -rf build}{dim:  exactly this …}
      {accent:y }{selected:once} {accent:s }session {accent:a }always {accent:n }no
      {accent:f }feedback"
    `);
  });

  it('a rule that would be cut on a low screen scrolls instead: nobody stores what they cannot read', () => {
    const question = {...COMMAND, rules: [{rule: 'bash:rm -rf build dist coverage node_modules', meaning: 'exactly this'}]};
    expect([0, 3].map((scroll) => shown(question, {columns: 40, rows: 7}, {scroll}))).toMatchSnapshot();
  });

  it('names the subagent that asks, and says that a rule was edited', () => {
    const [title] = shown({...COMMAND, agent: 'explore-1'}, {columns: 60, rows: 20}).split('\n');
    const edited = shown(COMMAND, {columns: 60, rows: 20}, {rules: ['bash:rm *']}).split('\n')[3];
    expect([title, edited]).toMatchInlineSnapshot(`
      [
        "{warning+bold:explore-1 asks: allow this command?}",
        "{dim:  rule }{code:bash:rm *}{dim:  as edited · e edits it}",
      ]
    `);
  });

  it('keeps a path that is marked as risky beside its diff', () => {
    const question = {...EDIT, subject: [{text: 'write '}, {text: 'a.txt', risky: true}]};
    expect(shown(question, {columns: 60, rows: 20}).split('\n')[2]).toBe('  write {error+bold:a.txt}');
  });

  it.each([
    ['deleted', undefined, '{bold:a.txt}{dim: (deleted)}{removed: −1}'],
    ['emptied', '', '{bold:a.txt}{removed: −1}'],
  ])('says of a file that it is %s', (_, after, head) => {
    const question = {...EDIT, diffs: [{path: 'a.txt', before: 'one\n', after}]};
    expect(shown(question, {columns: 60, rows: 20}).split('\n')).toContain(head);
  });
});
