import {PassThrough} from 'node:stream';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {createTerminalInput, type TerminalEvent} from '../../../../src/hosts/tui/terminal/terminal-input.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reading(hasKittyKeys = false) {
  const input = new PassThrough();
  const events: TerminalEvent[] = [];
  const terminal = createTerminalInput({
    input,
    onEvent: (event) => void events.push(event),
    onEnd: () => undefined,
    hasKittyKeys: () => hasKittyKeys,
  });
  terminal.resume();
  const send = (...pieces: (string | Buffer)[]): void => pieces.forEach((piece) => input.emit('data', Buffer.from(piece)));
  const sent = (...pieces: (string | Buffer)[]): TerminalEvent[] => {
    send(...pieces);
    vi.runAllTimers();
    return events.splice(0);
  };
  return {input, events, terminal, send, sent};
}

const key = (name: string, text?: string): TerminalEvent => (text === undefined ? {type: 'key', name} : {type: 'key', name, text});

describe('keys', () => {
  it.each<[string, string, TerminalEvent[]]>([
    ['a letter', 'a', [key('a', 'a')]],
    ['a capital', 'A', [key('A', 'A')]],
    ['a blank', ' ', [key('space', ' ')]],
    ['an umlaut and an emoji', 'ü🚀', [key('ü', 'ü'), key('🚀', '🚀')]],
    ['Enter', '\r', [key('enter')]],
    ['Tab, Shift-Tab', '\t\x1b[Z', [key('tab'), key('shift+tab')]],
    ['Ctrl-A, Ctrl-C', '\x01\x03', [key('ctrl+a'), key('ctrl+c')]],
    ['Esc alone', '\x1b', [key('escape')]],
    ['Alt-Left, Ctrl-Shift-Right', '\x1b[1;3D\x1b[1;6C', [key('alt+left'), key('ctrl+shift+right')]],
    ['Page Up, F5', '\x1b[5~\x1b[15~', [key('pageup'), key('f5')]],
    ['Shift-Enter of kitty', '\x1b[13;2u', [key('shift+enter')]],
    ['a capital of kitty', '\x1b[97:65;2u', [key('A', 'A')]],
    ['a release of kitty', '\x1b[97;1:3u', []],
    ['modifyOtherKeys', '\x1b[27;5;13~', [key('ctrl+enter')]],
    ['an unknown sequence', '\x1b[99;99z', []],
    [
      'focus',
      '\x1b[I\x1b[O',
      [
        {type: 'focus', isFocused: true},
        {type: 'focus', isFocused: false},
      ],
    ],
  ])('%s', (_, bytes, events) => {
    expect(reading().sent(bytes)).toEqual(events);
    // In pieces of one byte each it is the same.
    expect(reading().sent(...[...Buffer.from(bytes)].map((byte) => Buffer.of(byte)))).toEqual(events);
  });

  it('Esc is a key 30 ms after it', () => {
    const {events, send} = reading();
    send('\x1b');
    vi.advanceTimersByTime(29);
    expect(events).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(events).toEqual([key('escape')]);
  });
});

describe('pastes', () => {
  it.each<[string, string[], TerminalEvent[]]>([
    ['marked', ['\x1b[200~a\r\nb\x1b[A\x1b[201~'], [{type: 'paste', text: 'a\nb\x1b[A'}]],
    ['marked, in pieces', ['\x1b[20', '0~a', 'b\x1b[2', '01~c'], [{type: 'paste', text: 'ab'}, key('c', 'c')]],
    ['marked, whose end is lost', ['\x1b[200~ab'], [{type: 'paste', text: 'ab'}]],
    ['several lines at once', ['one\rtwo\r'], [{type: 'paste', text: 'one\ntwo\n'}]],
    ['several lines within 20 ms', ['one\r', 'two\r'], [{type: 'paste', text: 'one\ntwo\n'}]],
    ['one line is typed', ['ab\r'], [key('a', 'a'), key('b', 'b'), key('enter')]],
  ])('%s', (_, pieces, events) => {
    expect(reading().sent(...pieces)).toEqual(events);
  });
});

describe('replies of the terminal are not keys', () => {
  it.each<[string, TerminalEvent]>([
    ['\x1b[?62;22c', {type: 'reply', reply: {type: 'attributes'}}],
    ['\x1b[?7u', {type: 'reply', reply: {type: 'kittyFlags', flags: 7}}],
    ['\x1b[?2026;2$y', {type: 'reply', reply: {type: 'mode', mode: 2026, isKnown: true}}],
    ['\x1b[?2026;0$y', {type: 'reply', reply: {type: 'mode', mode: 2026, isKnown: false}}],
    ['\x1b]11;rgb:ffff/fafa/f0f0\x1b\\', {type: 'reply', reply: {type: 'background', background: 'light'}}],
    ['\x1b]11;rgb:1c/1c/1c\x07', {type: 'reply', reply: {type: 'background', background: 'dark'}}],
    ['\x1b[12;40R', {type: 'reply', reply: {type: 'cursor', row: 12, column: 40}}],
    ['\x1bP>|xterm(390)\x1b\\', {type: 'reply', reply: {type: 'other'}}],
    ['\x1b]52;c;bHM=\x07', {type: 'reply', reply: {type: 'other'}}],
  ])('%j', (bytes, event) => {
    expect(reading().sent(bytes)).toEqual([event]);
  });
});

it('nobody reads while it is paused: an editor gets the keys (vtcode #654)', () => {
  const {input, terminal, sent} = reading();
  terminal.pause();
  expect([input.listenerCount('data'), input.isPaused(), sent('a')]).toEqual([0, true, []]);
  terminal.resume();
  expect(sent('b')).toEqual([key('b', 'b')]);
  expect(vi.getTimerCount()).toBe(0);
});
