import {describe, expect, it} from 'vitest';
import {mentionedResources} from '../../../src/sdk/mentions/mentioned-resources.ts';

describe('mentionedResources', () => {
  it.each([
    ['read @docs:file:///notes.txt please', ['docs file:///notes.txt']],
    ['@docs:file:///a.txt and @rows:row://1', ['docs file:///a.txt', 'rows row://1']],
    ['each once: @rows:row://1 @rows:row://1', ['rows row://1']],
    ['(see @docs:file:///a.txt)', ['docs file:///a.txt']],
    ['see (it is @docs:file:///a.txt).', ['docs file:///a.txt']],
    ['is it @docs:file:///a.txt?', ['docs file:///a.txt']],
    ['@docs:x://a_(b) stays', ['docs x://a_(b)']],
    ['line\n@docs:file:///a.txt', ['docs file:///a.txt']],
    ['another server: @other:file:///a.txt', []],
    ['a file: @docs:notes.md', []],
    ['within a word: me@docs:file:///a.txt', []],
    ['a place in a file: @src/a.ts:12 (docs)', []],
    ['hidden characters: @docs:file:///a\u202e.txt', []],
    ['', []],
  ])('%j', (text, found) => {
    expect(mentionedResources(text, ['docs', 'rows']).map(({server, uri}) => `${server} ${uri}`)).toEqual(found);
  });
});
