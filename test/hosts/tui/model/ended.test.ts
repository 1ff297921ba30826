import {describe, expect, it} from 'vitest';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {updateScreen} from '../../../../src/hosts/tui/pager/update-screen.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';

function after(...actions: readonly Action[]): ScreenState {
  const start = initialState({size: {columns: 80, rows: 24}, now: 0, appName: 'Echo', folder: 'work', keymap: createKeymap().keymap});
  return actions.reduce((state, action, index) => updateScreen(state, action, index * 10).state, start);
}

describe('the end of a turn', () => {
  it('closes what an agent of any kind has left open: what stays open would hold back everything behind it', () => {
    const call = {id: 'c', type: 'tool_invocation', tool_name: 'shout', tool_call_id: 'c', arguments: '{}'} as const;
    const {entries, work} = after(
      {type: 'submit', text: 'hi'},
      {type: 'event', event: {type: 'item.started', item: {...call, status: 'in_progress'}}},
      {type: 'event', event: {type: 'item.started', item: {id: 'a', type: 'agent_message', text: 'Half'}}},
      {type: 'ended', ending: {outcome: 'cancelled', lines: ['Cancelled.']}},
    );
    expect([work, entries]).toEqual([
      undefined,
      [
        {kind: 'user', text: 'hi'},
        {kind: 'tool', id: 'c', callId: 'c', tool: 'shout', arguments: '{}', state: 'cancelled', startedAt: 10, durationMs: 20, output: ''},
        {kind: 'answer', id: 'a', text: 'Half', isFinal: true},
        {kind: 'plain', text: 'Cancelled.', isDim: true},
      ],
    ]);
  });
});
