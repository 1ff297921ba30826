import {open} from 'node:fs/promises';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readPieces} from '../../src/sessions/log-pieces.ts';
import {scratch} from '../support/scratch.ts';

/** The pieces of a file as text, each with the place where it begins; whether something follows the last newline. */
async function piecesOf(file: string, from: number, size: number) {
  const pieces: {text: string; offset: number; cut: boolean}[] = [];
  const handle = await open(file, 'r');
  try {
    const torn = await readPieces(handle, {from, size}, ({bytes, end, offset, cut}) =>
      pieces.push({text: bytes.toString('latin1', 0, end), offset, cut}),
    );
    return {pieces, torn};
  } finally {
    await handle.close();
  }
}

/** Short lines, and some that are longer than what is kept before a piece. */
const line = fc.oneof({weight: 6, arbitrary: fc.nat(300)}, {weight: 1, arbitrary: fc.integer({min: 60_000, max: 90_000})});

describe('readPieces', () => {
  it('gives every whole line once, in order, where it stands (property)', async () => {
    const file = join(await scratch(), 'log');
    await fc.assert(
      fc.asyncProperty(fc.array(line, {maxLength: 12}), fc.nat(40), fc.constantFrom(4000, 64 * 1024), async (lengths, tail, size) => {
        const lines = lengths.map((length, at) => `${String.fromCharCode(97 + at).repeat(length)}\n`);
        const whole = lines.join('');
        writeFileSync(file, whole + 't'.repeat(tail));
        const from = lines[0]?.length ?? 0;
        const {pieces, torn} = await piecesOf(file, from, size);
        expect({text: pieces.map(({text}) => text).join(''), torn}).toEqual({text: whole.slice(from), torn: tail > 0});
        let offset = from;
        for (const piece of pieces) {
          expect({offset: piece.offset, ends: piece.text.endsWith('\n'), cut: piece.cut}).toEqual({offset, ends: true, cut: false});
          offset += piece.text.length;
        }
      }),
      {numRuns: 40},
    );
  });

  it.each([65_535, 65_536, 65_537, 65_540])('keeps the beginning of a line of %s bytes, about what there is room for', async (size) => {
    const file = join(await scratch(), 'log');
    const text = `${'a'.repeat(size)}b\n`;
    writeFileSync(file, text);
    expect(await piecesOf(file, 0, size)).toEqual({pieces: [{text, offset: 0, cut: false}], torn: false});
  });

  it('of a line that is longer than a line may be it keeps nothing but its end', async () => {
    const file = join(await scratch(), 'log');
    const long = 65 * 1024 * 1024;
    writeFileSync(file, Buffer.concat([Buffer.from('one\n'), Buffer.alloc(long, 'x'), Buffer.from('\ntwo\n')]));
    const {pieces, torn} = await piecesOf(file, 0, 1024 * 1024);
    const [first, ...rest] = pieces;
    expect({first, torn}).toEqual({first: {text: 'one\n', offset: 0, cut: false}, torn: false});
    expect(
      rest.map(({text, offset, cut}) => ({end: text.slice(-5), behind: offset + text.length, cut, short: text.length < long / 2})),
    ).toEqual([{end: '\ntwo\n', behind: long + 9, cut: true, short: true}]);
  });
});
