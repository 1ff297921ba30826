import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createRedactor} from '../../src/base/redact.ts';
import {createRedactedStreams} from '../../src/base/redacted-streams.ts';

type Piece = readonly ['stdout' | 'stderr' | 'progress', string];

const KEY = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD';

/** What comes out, neighbours of one stream put together. */
function through(pieces: readonly Piece[], secrets: readonly string[] = []): readonly Piece[] {
  const streams = createRedactedStreams<Piece[0]>(createRedactor({secrets, shapes: true}));
  const out = [...pieces.flatMap(([key, text]) => streams.push(key, text)), ...streams.end()];
  return joined(out.map(({key, text}) => [key, text] as const));
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const all: [Piece[0], string][] = [];
  for (const [key, text] of pieces) {
    const last = all.at(-1);
    if (last?.[0] === key) last[1] += text;
    else if (text !== '') all.push([key, text]);
  }
  return all;
}

describe('issue: "interleaved streams of a tool keep their order"', () => {
  it.each<[string, readonly Piece[]]>([
    [
      'words without an end',
      [
        ['stdout', 'o1'],
        ['stderr', 'e1'],
        ['stdout', 'o2'],
        ['stderr', 'e2'],
      ],
    ],
    [
      'lines',
      [
        ['stdout', 'a\n'],
        ['stderr', 'b\n'],
        ['stdout', 'c\n'],
      ],
    ],
    [
      'what looks like the beginning of a secret',
      [
        ['stdout', 'token='],
        ['progress', '1 of 2\n'],
        ['stdout', 'no\n'],
        ['progress', '2 of 2\n'],
      ],
    ],
  ])('%s', (_, pieces) => {
    expect(through(pieces)).toEqual(pieces);
  });

  it('whatever comes in which pieces, no character is lost and none overtakes another', () => {
    const piece = fc.tuple(
      fc.constantFrom('stdout', 'stderr', 'progress'),
      fc.constantFrom('a', 'b ', 'token=', '\n', 'sk-', 'word', ' x y'),
    );
    fc.assert(
      fc.property(fc.array(piece, {maxLength: 60}), (pieces) => {
        const redactor = createRedactor({shapes: true});
        const whole = Map.groupBy(pieces, ([key]) => key).values();
        fc.pre([...whole].map((own) => own.map(([, text]) => text).join('')).every((text) => redactor.text(text) === text));
        expect(through(pieces)).toEqual(joined(pieces));
      }),
    );
  });

  it('a secret in pieces between those of another stream is replaced all the same', () => {
    for (let at = 1; at < KEY.length; at += 1) {
      const pieces: Piece[] = [
        ['stdout', `key ${KEY.slice(0, at)}`],
        ['stderr', 'x\n'],
        ['stdout', `${KEY.slice(at)} end\n`],
        ['stderr', 'y\n'],
      ];
      const text = through(pieces)
        .map(([, part]) => part)
        .join('');
      expect(text).not.toContain(KEY.slice(0, 12));
      expect(text).not.toContain(KEY.slice(-12));
      expect(text.replaceAll(/\[redacted[^\]]*\]/g, '')).toMatch(/^key .*end\n.*$|^key/s);
    }
  });

  it('where one stream holds back for long, others go ahead, and nothing is shown in parts', () => {
    const streams = createRedactedStreams<string>(createRedactor({secrets: ['hunter2-and-more'], shapes: false}));
    expect(streams.push('stdout', 'hunter2-')).toEqual([]);
    const ahead = Array.from({length: 2000}, () => streams.push('stderr', 'line of text\n')).flat();
    expect(ahead.map(({text}) => text).join('').length).toBeGreaterThan(10_000);
    expect([...streams.push('stdout', 'and-more\n'), ...streams.end()].filter(({key}) => key === 'stdout')).toEqual([
      {key: 'stdout', text: '[redacted]\n'},
    ]);
  });
});
