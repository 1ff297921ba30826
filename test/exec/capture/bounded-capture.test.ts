import {readFile, readdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {BoundedCapture} from '../../../src/exec/capture/bounded-capture.ts';
import type {CapturedOutput} from '../../../src/exec/process/command.ts';
import {scratch} from '../../support/scratch.ts';

function captured(
  folder: string,
  chunks: readonly (string | Uint8Array)[],
  [headBytes, tailBytes]: readonly [number, number],
): CapturedOutput {
  const capture = new BoundedCapture({headBytes, tailBytes}, folder);
  for (const chunk of chunks) capture.write(Buffer.from(chunk));
  return capture.finish();
}

describe('BoundedCapture', () => {
  it('keeps a short stream whole and makes no file', async () => {
    const folder = join(await scratch(), 'spool');
    expect(captured(folder, ['one\n', 'two'], [4, 4])).toEqual({
      head: 'one\ntwo',
      tail: '',
      totalBytes: 7,
      totalLines: 2,
      truncated: false,
      spillPath: undefined,
    });
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  it('keeps the ends of a long one and puts all of it in a private file', async () => {
    const folder = join(await scratch(), 'spool');
    const {spillPath = '', ...rest} = captured(folder, ['abcd', 'efgh\n', 'ijkl\n'], [5, 4]);
    expect(rest).toEqual({head: 'abcde', tail: 'jkl\n', totalBytes: 14, totalLines: 2, truncated: true, spillLoss: undefined});
    const modes = [(await stat(folder)).mode & 0o777, (await stat(spillPath)).mode & 0o777];
    expect([await readFile(spillPath, 'utf8'), ...modes]).toEqual(['abcdefgh\nijkl\n', 0o700, 0o600]);
  });

  it('never cuts inside a character', async () => {
    const folder = await scratch();
    const text = 'a😀b😀c😀d';
    for (let head = 0; head < 8; head += 1) {
      const {head: start, tail} = captured(folder, [text], [head, head]);
      expect([text.startsWith(start), text.endsWith(tail), start.isWellFormed() && tail.isWellFormed()]).toEqual([true, true, true]);
      expect(`${start}${tail}`).not.toContain('\ufffd');
    }
  });

  it('binary bytes are kept in the file as they are', async () => {
    const bytes = Uint8Array.from({length: 1000}, (_, at) => (at * 7) % 256);
    const {spillPath = ''} = captured(await scratch(), [bytes], [10, 10]);
    expect(Uint8Array.from(await readFile(spillPath))).toEqual(bytes);
  });

  it('whatever the chunks and limits, head and tail are the ends of the stream and the counts are right', async () => {
    const folder = await scratch();
    const chunks = fc.array(fc.string({unit: fc.constantFrom('a', 'é', '\n', '😀'), maxLength: 12}), {maxLength: 8});
    fc.assert(
      fc.property(chunks, fc.nat(20), fc.nat(20), (parts, head, tail) => {
        const whole = parts.join('');
        const result = captured(folder, parts, [head, tail]);
        const bytes = Buffer.byteLength(whole);
        expect([result.totalBytes, result.totalLines]).toEqual([
          bytes,
          whole.split('\n').length - (whole === '' || whole.endsWith('\n') ? 1 : 0),
        ]);
        expect([result.truncated, whole.startsWith(result.head), whole.endsWith(result.tail)]).toEqual([bytes > head + tail, true, true]);
        if (!result.truncated) expect(result.head).toBe(whole);
      }),
    );
  });

  it('says what was lost when the disk takes no more, and leaves no half file', async () => {
    const root = await scratch();
    await writeFile(join(root, 'spool'), 'a file where the folder should be');
    const {head, tail, spillPath, spillLoss} = captured(join(root, 'spool'), ['abcdef', 'ghi'], [2, 2]);
    expect([head, tail, spillPath, spillLoss?.startsWith('The whole output could not be saved: ')]).toEqual(['ab', 'hi', undefined, true]);
    expect(await readdir(root)).toEqual(['spool']);
  });
});
