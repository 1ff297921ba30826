import {describe, expect, it} from 'vitest';
import type {ScreenEffect} from '../../../../src/hosts/tui/model/action.ts';
import * as send from '../../../screen/events.ts';
import {EMPTY, play, type Move} from '../model/play.ts';

const GO: Move = {type: 'submit', text: 'go'};
const ALL: ScreenEffect = {type: 'retry'};
const ONE: ScreenEffect = {type: 'retry', agentId: 'w-1'};
const worker = send.agent('w-1', 'running', 'Look');
const task = send.called('t0', 'task', {prompt: 'Look'});

describe('retry at a stall', () => {
  it.each<[string, readonly Move[], readonly ScreenEffect[]]>([
    ['nothing runs', [20_000, 'alt+r'], []],
    ['before ten seconds', [GO, 9999, 'alt+r'], []],
    ['after ten seconds', [GO, 10_000, 'alt+r'], [ALL]],
    ['not again at once', [GO, 10_000, 'alt+r', 'alt+r', 9999, 'alt+r'], [ALL]],
    ['but when it stalls again', [GO, 10_000, 'alt+r', 10_000, 'alt+r'], [ALL, ALL]],
    ['what the harness says of the silence ends none', [GO, 9000, send.harness('model_stalled'), 1000, 'alt+r'], [ALL]],
    ['a command that is silent', [GO, send.called('t1', 'bash', {command: 'x'}), 10_000, 'alt+r'], []],
    ['a subagent that a call waits for', [GO, task, worker, 10_000, 'alt+r'], [ALL]],
    [
      'what the harness says of its silence',
      [GO, task, worker, 9000, ...send.byAgent('w-1', send.harness('model_stalled')), 1000, 'alt+r'],
      [ALL],
    ],
    ['a command of a subagent', [GO, task, worker, ...send.byAgent('w-1', send.called('t1', 'bash', {})), 10_000, 'alt+r'], []],
    ['a person who is asked', [GO, send.approval(), 10_000, 'alt+r'], []],
    ['while it cancels', [GO, 10_000, 'ctrl+c', 'alt+r'], []],
    ['in the view into a subagent: that one alone', [GO, worker, 'alt+a', 10_000, 'alt+r'], [ONE]],
    ['not again at once there', [GO, worker, 'alt+a', 10_000, 'alt+r', 'alt+r'], [ONE]],
    ['there, before ten seconds', [GO, worker, 'alt+a', 9999, 'alt+r'], []],
    ['there, one that has ended', [GO, send.agent('w-1', 'completed', 'Look'), 'alt+a', 10_000, 'alt+r'], []],
    ['there, one that waits for a person', [GO, worker, ...send.byAgent('w-1', send.requested('t1')), 'alt+a', 10_000, 'alt+r'], []],
  ])('%s', (_, moves, effects) => {
    expect(play(moves).effects.filter(({type}) => type === 'retry')).toEqual(effects);
  });

  it('takes no character from the line', () => {
    expect(play(['a', GO, 'b', 10_000, 'alt+r', 'c']).state.editor.text).toBe('abc');
    expect(EMPTY.keymap.get('alt+r')).toBe('retry');
  });

  it('the text of the reply that was given up is final; what comes anew stands below it', () => {
    const {state} = play([GO, send.said('half'), send.harness('model_retry', {message: 'Again.'}), send.said('whole', 'a2')]);
    expect(state.entries).toMatchObject([
      {kind: 'user'},
      {kind: 'answer', text: 'half', isFinal: true},
      {kind: 'notice', text: 'Again.'},
      {kind: 'answer', text: 'whole', isFinal: false},
    ]);
  });
});
