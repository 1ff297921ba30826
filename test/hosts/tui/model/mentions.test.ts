import {describe, expect, it} from 'vitest';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {play, typed, type Move} from './play.ts';

const found = (query: string, ...values: readonly string[]): Action => ({
  type: 'suggested',
  query,
  items: values.map((value) => ({value, label: value})),
});
const askedFor = (text: string): unknown => play(typed(text)).effects.at(-1);
const lineAfter = (...moves: readonly Move[]): string => play(moves).state.editor.text;

describe('what is asked for behind @', () => {
  it.each([
    ['@', ''],
    ['@src/a', 'src/a'],
    ['see @#name', '#name'],
    ['(@docs:file:///a', 'docs:file:///a'],
    ['@/', '/'],
    ['@/new Date(', '/new Date('],
    ['@/a@b', '/a@b'],
    ['@/text and @src', 'src'],
    ['@src/a.ts @/new Date', '/new Date'],
  ])('%j', (text, query) => {
    expect(askedFor(text)).toEqual({type: 'files', query});
  });

  it.each(['me@host', 'a', '@src/a.ts ', '@a b'])('nothing at the end of %j', (text) => {
    const {effects} = play(typed(text));
    const before = play(typed(text.slice(0, -1))).effects.length;
    expect(effects.length).toBe(before);
  });

  it('a text ends with its line', () => {
    const {state, effects} = play([...typed('@/one'), 'ctrl+j', ...typed('two')]);
    expect([state.suggestions, effects.length]).toEqual([undefined, 5]);
  });
});

describe('what was found', () => {
  it.each([
    ['a symbol', lineAfter(...typed('see @#pa'), found('#pa', 'src/a.ts:1 (parse)'), 'tab'), 'see @src/a.ts:1 (parse) '],
    ['a line of a file', lineAfter(...typed('see @/new D'), found('/new D', 'src/a.ts:3'), 'enter'), 'see @src/a.ts:3 '],
    ['a resource', lineAfter(...typed('@docs:'), found('docs:', 'docs:file:///a'), 'enter'), '@docs:file:///a '],
    ['an answer to an older text changes nothing', lineAfter(...typed('@/ab'), found('/a', 'src/a.ts:3'), 'tab'), '@/ab'],
    ['files are no answer to a text', lineAfter('@', found('', 'src/'), '/', 'tab'), '@/'],
    ['nor lines to the name of a file', lineAfter(...typed('@/a'), found('/a', 'src/a.ts:3'), 'backspace', 'backspace', 'tab'), '@'],
  ])('%s', (_, line, expected) => {
    expect(line).toBe(expected);
  });

  it('with nothing found Enter sends', () => {
    const {effects} = play([...typed('@/home/me is full'), found('/home/me is full'), 'enter']);
    expect(effects.at(-1)).toEqual({type: 'submit', text: '@/home/me is full'});
  });
});
