import {describe, expect, it} from 'vitest';
import type {ToolEntry} from '../../../../src/hosts/tui/model/entry.ts';
import {runMs} from '../../../../src/hosts/tui/calls/tool-entry.ts';
import {toolCallLines} from '../../../../src/hosts/tui/calls/tool-call.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import * as send from '../../../screen/events.ts';
import {notation} from '../views/notation.ts';
import {play, type Move} from '../model/play.ts';

const CALL = {turn_id: 'turn', tool_call_id: 't1:call', tool_name: 'bash'};
const asks: Action = {type: 'event', event: {type: 'permission.requested', ...CALL, subjects: [], reason: ''}};
const allowed = (waitMs: number): Action => ({
  type: 'event',
  event: {type: 'permission.resolved', ...CALL, decision: 'allow', decided_by: 'person', wait_ms: waitMs},
});
const called = send.called('t1', 'bash', {command: 'make'});
const ran = send.ran('t1', 'bash', {command: 'make'}); // 1200 ms in all

function entryAfter(moves: readonly Move[]): {readonly entry: ToolEntry; readonly now: number} {
  const {state} = play(moves);
  const entry = state.entries.find((one) => one.kind === 'tool');
  if (entry?.kind !== 'tool') throw new Error('There is no call.');
  return {entry, now: state.now};
}

describe('the time of a call', () => {
  it.each<[name: string, moves: readonly Move[], milliseconds: number]>([
    ['while it runs', [called, 3000], 3000],
    ['while a person is asked', [called, 500, asks, 60_000], 500],
    ['after the answer', [called, 500, asks, 60_000, allowed(60_000), 2000], 2500],
    ['of two questions', [called, asks, 1000, allowed(1000), 300, asks, 2000, allowed(2000), 100], 400],
    ['at its end', [called, asks, 900, allowed(900), 300, ran], 300],
    ['without a question', [called, 1200, ran], 1200],
    ['where the turn ends while it asks', [called, 700, asks, 5000, send.turnCompleted], 700],
    ['in a replay, where all comes at once', [called, asks, allowed(1000), ran], 200],
  ])('%s', (_, moves, milliseconds) => {
    const {entry, now} = entryAfter(moves);
    expect(runMs(entry, now)).toBe(milliseconds);
  });

  it('the whole conversation tells both', () => {
    const {entry, now} = entryAfter([called, asks, 9000, allowed(9000), 1000, ran]);
    const [, decided = []] = toolCallLines({...entry, durationMs: 12_000}, {width: 80, now, isWhole: true});
    expect(notation([decided])).toBe('  {dim:allow by person · waited 9 s for the answer}');
  });
});
