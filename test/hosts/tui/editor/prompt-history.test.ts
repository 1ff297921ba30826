import {describe, expect, it} from 'vitest';
import {NEW_SEARCH, searchEarlier, searchFor} from '../../../../src/hosts/tui/editor/history-search.ts';
import {openPromptHistory, recall, remember} from '../../../../src/hosts/tui/editor/prompt-history.ts';

describe('recall', () => {
  it('keeps the draft, and changes of prompts that were not sent', () => {
    let history = openPromptHistory(['one', 'two']);
    let text = 'draft';
    const seen = ([-1, -1, -1, 1, 1, 1] as const).map((by) => {
      const next = recall(history, by, by === 1 && text === 'one' ? 'one!' : text);
      if (next !== undefined) ({history, text} = next);
      return next?.text;
    });
    expect(seen).toEqual(['two', 'one', undefined, 'two', 'draft', undefined]);
    expect(recall({...history, at: 1}, -1, 'two')?.text).toBe('one!');
  });

  it('remember: no private prompt, none like the newest, 1,000 at most', () => {
    const after = ['two', ' private', '', 'two', 'one'].reduce(remember, openPromptHistory(['one']));
    expect(after).toEqual(openPromptHistory(['one', 'two', 'one']));
    const many = Array.from({length: 1000}, (_, index) => String(index));
    expect(remember(openPromptHistory(many), 'new').prompts).toEqual([...many.slice(1), 'new']);
  });
});

describe('the search in the history', () => {
  const history = openPromptHistory(['fix Foo', 'fix bar', 'add foo', 'add foo', 'last']);
  const typed = (query: string) =>
    Array.from(query, (_, index) => query.slice(0, index + 1)).reduce((search, part) => searchFor(history, search, part), NEW_SEARCH);

  it.each([
    ['fo', {query: 'fo', match: {at: 3, prompt: 'add foo', offset: 4}, failed: false}],
    ['Fo', {query: 'Fo', match: {at: 0, prompt: 'fix Foo', offset: 4}, failed: false}],
    ['fox', {query: 'fox', match: {at: 3, prompt: 'add foo', offset: 4}, failed: true}],
    ['zz', {query: 'zz', match: undefined, failed: true}],
    ['', NEW_SEARCH],
  ])('%j', (query, wanted) => {
    expect(typed(query)).toEqual(wanted);
  });

  it('goes on to older prompts of another text, and stays at the oldest', () => {
    const second = searchEarlier(history, typed('foo'));
    expect(second.match).toEqual({at: 0, prompt: 'fix Foo', offset: 4});
    const last = searchEarlier(history, second);
    expect([last, searchEarlier(history, last)]).toEqual([
      {...second, failed: true},
      {...second, failed: true},
    ]);
    expect(searchFor(history, last, 'fo').match?.at).toBe(3);
  });
});
