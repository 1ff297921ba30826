import {describe, expect, it} from 'vitest';
import {createResultCache, type ResultCache} from '../../../src/tools/dispatch/result-cache.ts';
import type {ToolReply} from '../../../src/tools/toolset.ts';

function reply(text: string, structured: unknown = {text}): ToolReply {
  return {text, summary: '', structured, isError: false, changes: []};
}

function put(cache: ResultCache, key: string, text = key): void {
  cache.begin(key)(reply(text, null));
}

function texts(cache: ResultCache, keys: string): readonly (string | undefined)[] {
  return keys.split('').map((key) => cache.find(key)?.text);
}

describe('createResultCache', () => {
  it('gives what was kept, each time a copy of its own', () => {
    const cache = createResultCache();
    const given = reply('a', {list: [1], when: new Date(0)});
    cache.begin('k')(given);
    const found = cache.find('k');
    expect([found, cache.find('other')]).toEqual([given, undefined]);
    (found as {structured: {list: number[]}}).structured.list.push(2);
    expect(cache.find('k')).toEqual(given);
  });

  it('entries: the one used least recently goes first', () => {
    const cache = createResultCache({maxEntries: 2, maxBytes: 10_000});
    put(cache, 'a');
    put(cache, 'b');
    cache.find('a');
    put(cache, 'c');
    expect(texts(cache, 'abc')).toEqual(['a', undefined, 'c']);
  });

  it('bytes: of all together; a larger one is not kept and takes nobody else away', () => {
    const cache = createResultCache({maxEntries: 100, maxBytes: 2000});
    put(cache, 'a', 'x'.repeat(300));
    put(cache, 'b', 'x'.repeat(300));
    put(cache, 'c', 'x'.repeat(5000));
    expect(texts(cache, 'abc').map((text) => text?.length)).toEqual([300, 300, undefined]);
    put(cache, 'd', 'x'.repeat(1400));
    expect(texts(cache, 'abd').map((text) => text?.length)).toEqual([undefined, 300, 1400]);
  });

  it('the same key again replaces, and counts once', () => {
    const cache = createResultCache({maxEntries: 100, maxBytes: 1000});
    put(cache, 'b');
    for (const text of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']) put(cache, 'a', text.repeat(10));
    expect(texts(cache, 'ab')).toEqual(['eight'.repeat(10), 'b']);
  });

  it('what is not plain data is not kept', () => {
    const cache = createResultCache();
    cache.begin('k')(reply('a', {act: () => 1}));
    expect(cache.find('k')).toBeUndefined();
  });

  it('while something changes, and across it, nothing is found or kept', async () => {
    const cache = createResultCache();
    put(cache, 'a');
    const before = cache.begin('b');
    const {promise, resolve} = Promise.withResolvers<void>();
    const change = cache.whileChanging(() => promise);
    const during = cache.begin('c');
    put(cache, 'd');
    expect(texts(cache, 'abcd')).toEqual([undefined, undefined, undefined, undefined]);
    resolve();
    await change;
    before(reply('b'));
    during(reply('c'));
    expect(texts(cache, 'abcd')).toEqual([undefined, undefined, undefined, undefined]);
    put(cache, 'a');
    expect(texts(cache, 'a')).toEqual(['a']);
  });

  it('a change that fails has changed something, too', async () => {
    const cache = createResultCache();
    put(cache, 'a');
    await expect(cache.whileChanging(async () => await Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(texts(cache, 'a')).toEqual([undefined]);
    put(cache, 'a');
    expect(texts(cache, 'a')).toEqual(['a']);
  });
});
