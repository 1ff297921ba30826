import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {totalTokens} from '../../../src/context/compaction/estimate-tokens.ts';
import {fitMessages} from '../../../src/context/compaction/fit-messages.ts';
import {splitTail} from '../../../src/context/compaction/split-tail.ts';
import {called, conversation, said, user} from './messages.ts';

describe('the newest part of a conversation', () => {
  it('begins at a reply, holds what fits, and the last reply with all behind it in any case', () => {
    const messages = [user('1'), said('2'), ...called('read', {}, {text: 'x'.repeat(7000)}), user('now')];
    expect(splitTail(messages, 10).tail).toEqual(messages.slice(2));
    expect(splitTail(messages, 100_000).old).toEqual([user('1')]);
    expect(splitTail([user('only')], 1)).toEqual({old: [], tail: [user('only')]});
  });

  it('nothing is lost or doubled, and no result stands without its call (property)', () => {
    fc.assert(
      fc.property(conversation, fc.nat(2000), (messages, room) => {
        const {old, tail} = splitTail(messages, room);
        expect([...old, ...tail]).toEqual(messages);
        expect(tail[0]?.role).not.toBe('tool');
      }),
    );
  });
});

describe('results that are too long for the room', () => {
  it('are shortened to their ends, and say how to see the rest', () => {
    const [reply, result] = fitMessages(called('read', {}, {text: `a${'x'.repeat(50_000)}z`, item: 9}), 400);
    expect(reply).toEqual(called('read', {}, {text: '', item: 9})[0]);
    expect(result).toEqual({
      role: 'tool',
      results: [
        {
          callId: 'call_9',
          name: 'read',
          isError: false,
          item: 9,
          shortened: true,
          text: `a${'x'.repeat(499)}\n[… 49002 characters left out; recall {"item": 9} shows it …]\n${'x'.repeat(499)}z`,
        },
      ],
    });
  });

  it('stay as they are where they fit', () => {
    const messages = called('read', {}, {text: 'x'.repeat(5000)});
    expect(fitMessages(messages, totalTokens(messages))).toBe(messages);
  });
});
