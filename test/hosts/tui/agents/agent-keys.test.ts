import {describe, expect, it} from 'vitest';
import type {ScreenEffect} from '../../../../src/hosts/tui/model/action.ts';
import type {Overlay} from '../../../../src/hosts/tui/model/screen-state.ts';
import * as send from '../../../screen/events.ts';
import {drawn, play, typed, type Move} from '../model/play.ts';

const THREE = [send.agent('w-1', 'completed', 'One'), send.agent('w-2', 'running', 'Two'), send.agent('w-3', 'failed', 'Three')];
const overlayOf = (moves: readonly Move[]): Overlay | undefined => play([...THREE, ...moves]).state.overlay;
const opened = (id: string): object => ({type: 'agent', id, isWhole: false});
const log = (id: string): ScreenEffect => ({type: 'agentLog', id});

describe('the view into a subagent', () => {
  it.each<[string, readonly Move[], object | undefined]>([
    ['a key opens the one that works', ['alt+a'], opened('w-2')],
    ['where none works, the newest', [send.agent('w-2', 'completed', 'Two'), 'alt+a'], opened('w-3')],
    ['Tab goes to the next', ['alt+a', 'tab'], opened('w-3')],
    ['round the end', ['alt+a', 'tab', 'right'], opened('w-1')],
    ['Shift-Tab to the one before', ['alt+a', 'shift+tab'], opened('w-1')],
    ['and so does Left', ['alt+a', 'left', 'left'], opened('w-3')],
    ['Esc leaves', ['alt+a', 'escape'], undefined],
    ['and so does the key that opens it', ['alt+a', 'tab', 'alt+a'], undefined],
    ['q leaves', ['alt+a', 'q'], undefined],
    ['Ctrl-C leaves', ['alt+a', 'ctrl+c'], undefined],
    ['Ctrl-O opens the calls', ['alt+a', 'ctrl+o'], {type: 'agent', id: 'w-2', isWhole: true}],
    ['and folds them', ['alt+a', 'ctrl+o', 'enter'], opened('w-2')],
    ['/agents with an id', [...typed('/agents w-1'), 'enter'], opened('w-1')],
    ['/agents lets choose, the newest first', [...typed('/agents'), 'enter', 'down', 'down', 'enter'], opened('w-1')],
    ['/agents does not wait for the turn', [{type: 'submit', text: 'go'}, ...typed('/agents w-1'), 'enter'], opened('w-1')],
    ['nor does the choice', [{type: 'submit', text: 'go'}, ...typed('/agents'), 'enter', 'enter'], opened('w-3')],
    ['another session closes it', ['alt+a', {type: 'switched', folder: 'x', info: {}}, 'escape'], undefined],
  ])('%s', (_, moves, overlay) => {
    expect(overlayOf(moves)).toEqual(overlay);
  });

  it('asks for the log of each that is opened', () => {
    expect(play([...THREE, 'alt+a', 'tab', 'escape', 'alt+a']).effects).toEqual([log('w-2'), log('w-3'), log('w-2')]);
  });

  it('says where there is none', () => {
    const {state, effects} = play(['alt+a', ...typed('/agents'), 'enter']);
    const text = {kind: 'plain', text: 'No subagent was started.'};
    expect([state.overlay, state.entries, effects.map(({type}) => type)]).toEqual([undefined, [text, text], ['remember']]);
  });

  it.each<[string, readonly Move[], readonly ScreenEffect[]]>([
    ['x twice cancels one that works', ['alt+a', 'x', 'x'], [log('w-2'), {type: 'cancelAgent', id: 'w-2'}]],
    ['another key in between does not', ['alt+a', 'x', 'down', 'x'], [log('w-2')]],
    ['one that has ended is not cancelled', ['alt+a', 'tab', 'x', 'x'], [log('w-2'), log('w-3')]],
  ])('%s', (_, moves, effects) => {
    expect(play([...THREE, ...moves]).effects).toEqual(effects);
  });

  it.each<[string, readonly Move[], readonly [overlay: object | undefined, waiting: number]]>([
    ['opens the one that asks', ['alt+a'], [opened('w-1'), 1]],
    ['and leaves it without an answer', ['alt+a', 'alt+a'], [undefined, 1]],
  ])('while a question waits, its key %s', (_, moves, [overlay, waiting]) => {
    const {state} = play([...THREE, send.approval({agent: 'w-1'}), drawn, 400, ...moves]);
    expect([state.overlay, state.dialogs.length]).toEqual([overlay, waiting]);
  });

  it('a question that comes is answered in it, by keys that were pressed after it was seen', () => {
    const early = play([...THREE, 'alt+a', send.approval({agent: 'w-2'}), 'y']);
    expect(early.state.dialogs).toHaveLength(1);
    const {state, effects} = play([drawn, 400, 'y'], early.state);
    expect([state.dialogs, effects, state.overlay]).toEqual([[], [{type: 'answer', id: 'q1', reply: {decision: 'once'}}], opened('w-2')]);
  });
});

describe('scrolling', () => {
  const LONG = send.byAgent('w-2', ...Array.from({length: 30}, (_, at) => send.answered(`answer ${at}`, `a${at}`)));
  // 80 by 24: the name, the task and the keys leave 21 rows; each answer but the first has an empty row above it.
  const at = (...moves: readonly Move[]) => {
    const {overlay} = play([...THREE, ...LONG, 'alt+a', ...moves]).state;
    return overlay?.type === 'agent' ? overlay.from : overlay;
  };
  const more = send.byAgent('w-2', send.answered('more', 'b'));

  it.each<[string, readonly Move[], object | undefined]>([
    ['follows what comes', [...more], undefined],
    ['up leaves the end', ['up'], {entry: 19, skip: 0}],
    ['what comes then moves nothing', ['up', ...more], {entry: 19, skip: 0}],
    ['down again follows', ['up', 'down'], undefined],
    ['g is the beginning', ['g'], {entry: 0, skip: 0}],
    ['not above it', ['g', 'pageup'], {entry: 0, skip: 0}],
    ['a page down', ['g', 'pagedown'], {entry: 10, skip: 1}],
    ['G follows', ['g', 'G'], undefined],
    ['End and beyond follow', ['home', 'end', 'down', 'pagedown'], undefined],
    ['rows over entries', ['g', 'j', 'j', 'j', 'k'], {entry: 1, skip: 1}],
  ])('%s', (_, moves, place) => {
    expect(at(...moves)).toEqual(place);
  });

  it('a conversation that fits is followed, whatever is pressed', () => {
    const few = send.byAgent('w-2', send.answered('one'));
    const {overlay} = play([...THREE, ...few, 'alt+a', 'g', 'up', 'pageup']).state;
    expect(overlay).toEqual(opened('w-2'));
  });
});
