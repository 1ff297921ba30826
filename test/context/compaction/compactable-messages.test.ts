import {describe, expect, it} from 'vitest';
import {compactableMessages} from '../../../src/context/compaction/compactable-messages.ts';
import type {Message} from '../../../src/protocol/messages.ts';
import {createHistory, type History} from '../../../src/sessions/history.ts';
import {user} from '../../sessions/events.ts';

const OLD: Message = {role: 'user', text: 'What was said long ago.'};
const WINDOW = {size: 1000, maxOutput: 100};

function resumed(newest: string): {history: History; reads: () => number} {
  let count = 0;
  const messages = (): readonly Message[] => {
    count += 1;
    return [OLD];
  };
  const history = createHistory({items: 1, marks: new Map(), olderMarks: new Map(), unread: {about: 1, messages}});
  history.apply(user(newest));
  return {history, reads: () => count};
}

describe('what is needed of a very long conversation to shorten it', () => {
  it('is its newest part where that fills the window twice: the rest is not read', () => {
    const long = 'word '.repeat(2000);
    const {history, reads} = resumed(long);
    expect([compactableMessages(history, WINDOW), reads()]).toEqual([[{role: 'user', text: long}], 0]);
  });

  it('else is all of it, read once', () => {
    const {history, reads} = resumed('short');
    const all = [OLD, {role: 'user', text: 'short'}];
    expect([compactableMessages(history, WINDOW), compactableMessages(history, WINDOW), reads()]).toEqual([all, all, 1]);
  });
});
