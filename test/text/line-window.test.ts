import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {splitLines} from '../../src/text/line-endings.ts';
import {createLineWindow} from '../../src/text/line-window.ts';

describe('createLineWindow', () => {
  it('picks the same lines however the stream is cut into pieces (property)', () => {
    const text = fc.array(fc.constantFrom('a', 'bb', '\n', '\r\n', '\r')).map((parts) => parts.join(''));
    const cuts = fc.array(fc.nat({max: 4}), {minLength: 1});
    fc.assert(
      fc.property(text, cuts, fc.integer({min: 1, max: 6}), fc.nat({max: 4}), (text, cuts, firstLine, maxLines) => {
        const window = createLineWindow({firstLine, maxLines, maxUnits: 1000});
        const units = Buffer.from(text);
        for (let at = 0, turn = 0; at < units.length; turn++) {
          const length = (cuts[turn % cuts.length] ?? 0) + (turn % 2);
          window.add(units.subarray(at, at + length));
          at += length;
        }
        const found = window.end();
        const lines = splitLines(text);
        const kept = Buffer.concat(found.pieces.map((piece) => Uint8Array.from(piece))).toString();
        expect(splitLines(kept)).toEqual(lines.slice(firstLine - 1, firstLine - 1 + maxLines));
        expect({total: found.totalLines, cut: found.cut}).toEqual({total: lines.length, cut: false});
        expect(found.truncated).toBe(lines.length >= firstLine + maxLines);
      }),
      {numRuns: 1000},
    );
  });

  it('keeps no more units than allowed', () => {
    const window = createLineWindow({firstLine: 2, maxLines: 10, maxUnits: 5});
    window.add(Uint16Array.from([97, 10, 98, 99, 13]));
    window.add(Uint16Array.from([10, 98, 98, 98]));
    expect(window.isClosed()).toBe(true);
    const {pieces, ...rest} = window.end();
    expect(pieces.map((piece) => [...piece])).toEqual([
      [98, 99, 13],
      [10, 98],
    ]);
    expect(rest).toEqual({totalLines: 3, truncated: true, cut: true});
  });
});
