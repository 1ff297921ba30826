import {describe, expect, it} from 'vitest';
import type {ApprovalQuestion} from '../../../../src/hosts/tui/host-adapter.ts';
import type {ScreenEffect} from '../../../../src/hosts/tui/model/action.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ApprovalDialog, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {updateScreen} from '../../../../src/hosts/tui/pager/update-screen.ts';
import {hunksOf} from '../../../../src/text/diff/hunks.ts';

const numbered = (changed: readonly number[]) =>
  Array.from({length: 20}, (_, index) => (changed.includes(index) ? `new ${index}\n` : `old ${index}\n`)).join('');
const [before, after] = [numbered([]), numbered([1, 17])];
const QUESTION: ApprovalQuestion = {
  id: 'call_1',
  tool: 'apply_patch',
  reason: 'edits are asked about',
  subject: [{text: 'a.txt'}],
  diffs: [
    {path: 'a.txt', before, after, hunks: hunksOf(before, after)},
    {path: 'b.txt', after: 'b\n', hunks: hunksOf('', 'b\n')},
  ],
  rules: [],
};

/** What is on the screen, and what was answered, after keys that a person presses one by one when the question stands there. */
function pressed(
  keys: string,
  question = QUESTION,
): {readonly hunks: ApprovalDialog['hunks'] | 'answered'; readonly replies: readonly ScreenEffect[]} {
  const size = {columns: 80, rows: 24};
  let state: ScreenState = initialState({size, now: 0, appName: 'Fettle', folder: 'w', keymap: createKeymap().keymap});
  state = updateScreen(state, {type: 'approval', question}, 0).state;
  state = updateScreen(state, {type: 'drawn', printed: state.printed}, 0).state;
  let [now, replies]: [number, readonly ScreenEffect[]] = [0, []];
  for (const name of keys.split(' ')) {
    now += 1000;
    const change = updateScreen(state, {type: 'key', key: {type: 'key', name}}, now);
    [state, replies] = [change.state, [...replies, ...change.effects]];
  }
  const dialog = state.dialogs[0];
  return {hunks: dialog?.type === 'approval' ? dialog.hunks : 'answered', replies};
}

describe('choosing changes one by one', () => {
  it.each<[string, ApprovalDialog['hunks']]>([
    ['h', {at: 0, chosen: []}],
    ['h y', {at: 1, chosen: ['0:0']}],
    ['h n Y', {at: 2, chosen: ['0:1']}],
    ['h y y y', {at: 2, chosen: ['0:0', '0:1', '1:0']}],
    ['h down down space up space', {at: 1, chosen: ['0:1', '1:0']}],
    ['h space space', {at: 0, chosen: []}],
    ['h y up n', {at: 1, chosen: []}],
    ['h right right right left up up', {at: 0, chosen: []}],
    ['h s a f e x', {at: 0, chosen: []}],
    ['h y escape', undefined],
    ['h y escape h', {at: 0, chosen: []}],
  ])('%s', (keys, hunks) => {
    expect(pressed(keys)).toEqual({hunks, replies: []});
  });

  it.each([
    ['h y n space enter', {decision: 'hunks', hunks: ['0:0', '1:0']}],
    ['h down down space up up space enter', {decision: 'hunks', hunks: ['0:0', '1:0']}],
    ['h y y y enter', {decision: 'hunks', hunks: ['0:0', '0:1', '1:0']}],
    ['h enter', {decision: 'deny'}],
    ['h y up n enter', {decision: 'deny'}],
    ['h y escape y', {decision: 'once'}],
    ['down enter y enter', {decision: 'hunks', hunks: ['0:0']}],
  ])('%s answers', (keys, reply) => {
    expect(pressed(keys)).toEqual({hunks: 'answered', replies: [{type: 'answer', id: 'call_1', reply}]});
  });

  it.each<[string, ApprovalQuestion['diffs']]>([
    ['there is one change', [{path: 'b.txt', after: 'b\n', hunks: hunksOf('', 'b\n')}]],
    ['the call is allowed as a whole or not at all', [{path: 'a.txt', before, after}]],
    ['there is no change', []],
  ])('is not offered where %s', (_name, diffs) => {
    expect(pressed('h', {...QUESTION, diffs}).hunks).toBe(undefined);
  });
});
