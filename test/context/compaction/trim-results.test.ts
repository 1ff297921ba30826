import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {trimResults} from '../../../src/context/compaction/trim-results.ts';
import type {Message} from '../../../src/protocol/messages.ts';
import {called, conversation, user} from './messages.ts';

/** All that trimming leaves as it is. */
function formOf(message: Message): unknown {
  if (message.role === 'user') return message;
  if (message.role === 'tool') return message.results.map(({callId, name, isError, item}) => ({callId, name, isError, item}));
  return message.parts.map((part) => (part.type === 'tool_call' ? {...part, arguments: typeof JSON.parse(part.arguments)} : part));
}

const LONG = 'line\n'.repeat(200);
const texts = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({text}) => (text === LONG ? 'LONG' : text)) : []));

describe('tool results that the model can do without', () => {
  it('of repeated reads only the newest stays, also of those by cat and sed -n (VT Code architecture › Compaction)', () => {
    const messages = [
      user('go'),
      ...called('read', {path: 'a.ts', offset: 3, limit: 4}, {text: LONG, item: 4}),
      ...called('bash', {command: "sed -n '3,5p' a.ts"}, {text: LONG, item: 7}),
      ...called('read', {path: 'b.ts'}, {text: LONG, item: 10}),
      ...called('bash', {command: 'cat a.ts'}, {text: LONG, item: 13}),
    ];
    expect(texts(trimResults(messages, {keepGroups: 10, minChars: 100}))).toEqual([
      '[Left out: the same lines were read again later. 1000 characters. recall {"item": 4} shows it.]',
      '[Left out: the same lines were read again later. 1000 characters. recall {"item": 7} shows it.]',
      'LONG',
      'LONG',
    ]);
  });

  it('a read that failed covers nothing, and failures stay', () => {
    const messages = [
      ...called('read', {path: 'a.ts'}, {text: LONG, item: 2}),
      ...called('read', {path: 'a.ts'}, {text: LONG, item: 5, isError: true}),
    ];
    expect(texts(trimResults(messages, {keepGroups: 10, minChars: 100}))).toEqual(['LONG', 'LONG']);
    expect(texts(trimResults(messages, {keepGroups: 0, minChars: 100}))).toEqual([
      '[Left out: it is old. 1000 characters. recall {"item": 2} shows it.]',
      'LONG',
    ]);
  });

  it('old results go, short ones stay; nothing that stays is a new object', () => {
    const messages = [
      ...called('grep', {}, {text: LONG, item: 2}),
      ...called('grep', {}, {text: 'short', item: 5}),
      ...called('grep', {}, {text: LONG, item: 8}),
    ];
    const trimmed = trimResults(messages, {keepGroups: 1, minChars: 100});
    expect(texts(trimmed)).toEqual(['[Left out: it is old. 1000 characters. recall {"item": 2} shows it.]', 'short', 'LONG']);
    expect(trimmed.map((message, at) => message === messages[at])).toEqual([true, false, true, true, true, true]);
  });

  it('the form of a conversation never changes: same roles, same calls, a result for each (property)', () => {
    const form = (messages: readonly Message[]): unknown => messages.map((message) => formOf(message));
    fc.assert(
      fc.property(conversation, fc.nat(10), fc.nat(800), (messages, keepGroups, minChars) => {
        const trimmed = trimResults(messages, {keepGroups, minChars});
        expect(form(trimmed)).toEqual(form(messages));
      }),
    );
  });
});
