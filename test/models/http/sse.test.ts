import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readServerSentEvents, readWholeBody} from '../../../src/models/http/sse.ts';
import type {WireEvent} from '../../../src/models/wire.ts';

function read(text: string, cuts: readonly number[] = []): readonly WireEvent[] {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  const reader = readServerSentEvents();
  const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

const data = (...texts: readonly string[]): WireEvent[] => texts.map((text) => ({event: undefined, data: text}));

/** The format cases of web-platform-tests, `eventsource/format-*.any.js`, as far as they are about data and event names. */
const CASES: readonly (readonly [name: string, stream: string, events: readonly WireEvent[]])[] = [
  ['format-bom: one BOM at the start is taken off', '\uFEFFdata:1\n\ndata:2\n\n\uFEFFdata:3\n\n', data('1', '2')],
  ['format-bom-2: only one', '\uFEFF\uFEFFdata:1\n\ndata:2\n\ndata:3\n\n', data('2', '3')],
  [
    'format-comments',
    `data:1\n:\0\n:\r\ndata:2\n:${'x'.repeat(2048)}\ndata:3\n:data:fail\r:${'x'.repeat(2048)}\ndata:4\n\n`,
    data('1\n2\n3\n4'),
  ],
  ['format-data-before-final-empty-line: no empty line, no event', 'retry:1000\ndata:test1\n\nid:test\ndata:test2', data('test1')],
  ['format-field-data', 'data:\n\ndata\ndata\n\ndata:test\n\n', data('', '\n', 'test')],
  ['format-field-event', 'event:test\ndata:x\n\ndata:x\n\n', [{event: 'test', data: 'x'}, ...data('x')]],
  ['format-field-event-empty', 'event: \ndata:data\n\n', data('data')],
  [
    'format-field-parsing',
    'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
    data('\0\n 2\n1\n3\n\n4'),
  ],
  ['format-field-unknown', 'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\n\n', data('test\n')],
  ['format-leading-space: one blank is taken off', 'data:\ttest\rdata: \ndata:test\n\n', data('\ttest\n\ntest')],
  ['format-newlines', 'data:test\r\ndata\ndata:test\r\n\r\n', data('test\n\ntest')],
  ['format-null-character', 'data:\0\n\n\n\n', data('\0')],
  ['format-utf-8', 'data:ok…\n\n', data('ok…')],
  ['format-field-id, format-field-retry: not our business', 'id: 1\nretry:3000\ndata:1\n\nid\ndata:2\n\n', data('1', '2')],
];

describe('readServerSentEvents', () => {
  it.each(CASES)('WPT %s', (_name, stream, expected) => {
    expect(read(stream)).toEqual(expected);
  });

  it.each(CASES)('the same in any pieces: %s', (_name, stream, expected) => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), {maxLength: 20}), (cuts) => {
        expect(read(stream, cuts)).toEqual(expected);
      }),
      {numRuns: 50},
    );
  });

  it('the same byte by byte, also inside a character of UTF-8', () => {
    const stream = 'event: a\r\ndata: {"t":"日本語 🦊"}\r\n\r\n';
    expect(read(stream, [...Array(100).keys()])).toEqual([{event: 'a', data: '{"t":"日本語 🦊"}'}]);
  });
});

describe('readWholeBody', () => {
  it('gives the body as one event at the end, an empty one none', () => {
    const reader = readWholeBody();
    expect([reader.push(Buffer.from('{"a":"ü').subarray(0, 8)), reader.push(Buffer.from('{"a":"ü"}').subarray(8)), reader.end()]).toEqual([
      [],
      [],
      [{event: undefined, data: '{"a":"ü"}'}],
    ]);
    expect(readWholeBody().end()).toEqual([]);
  });
});
