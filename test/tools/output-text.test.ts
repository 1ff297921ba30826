import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {boundOutput} from '../../src/tools/output/bound-output.ts';
import {headOf, tailOf} from '../../src/tools/output/truncate-bytes.ts';
import {createRedactor} from '../../src/base/redact.ts';
import {scratch} from '../support/scratch.ts';

const anyText = fc.string({unit: 'grapheme', maxLength: 200}).map((text) => text.toWellFormed());

describe('cutting text', () => {
  it('keeps beginning and end within the bytes, whole characters, and whole lines where that is cheap', () => {
    fc.assert(
      fc.property(anyText, fc.nat(150), (text, max) => {
        const [head, tail] = [headOf(text, max), tailOf(text, max)];
        expect(Buffer.byteLength(head)).toBeLessThanOrEqual(max);
        expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(max);
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
      }),
    );
    expect(headOf('one\ntwo\nthree', 9)).toBe('one\ntwo\n');
    expect(tailOf('one\ntwo\nthree', 7)).toBe('three');
    expect(headOf('x'.repeat(20), 5)).toBe('xxxxx');
    expect(headOf('日本', 4)).toBe('日');
    expect(tailOf('日本', 4)).toBe('本');
  });
});

describe('the bound of a result', () => {
  it('a text within it is left alone, and no file is made', async () => {
    const dir = join(await scratch(), 'spool');
    expect(await boundOutput('a\nb', {maxBytes: 10, maxLines: 2}, {dir, spoolPath: undefined})).toEqual({
      text: 'a\nb',
      spoolPath: undefined,
    });
    await expect(stat(dir)).rejects.toThrow('ENOENT');
  });
  it('a longer one keeps beginning and end, and is kept whole in a private file that is named', async () => {
    const dir = join(await scratch(), 'spool');
    const whole = Array.from({length: 100}, (_, index) => `line ${index + 1}`).join('\n');
    const {text, spoolPath = ''} = await boundOutput(whole, {maxBytes: 1000, maxLines: 5}, {dir, spoolPath: undefined});
    expect(text).toBe(
      `line 1\nline 2\nline 3\n[… 755 bytes left out; the whole text is in ${spoolPath}: read it by range, or grep it …]\nline 99\nline 100`,
    );
    expect(await readFile(spoolPath, 'utf8')).toBe(whole);
    expect((await stat(spoolPath)).mode & 0o777).toBe(0o600);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });
  it('what is kept elsewhere is not kept twice', async () => {
    const dir = join(await scratch(), 'spool');
    const bounded = await boundOutput('x'.repeat(100), {maxBytes: 10, maxLines: 5}, {dir, spoolPath: '/kept'});
    expect(bounded).toEqual({
      text: 'xxxxxx\n[… 90 bytes left out; the whole text is in /kept: read it by range, or grep it …]\nxxxx',
      spoolPath: '/kept',
    });
    await expect(stat(dir)).rejects.toThrow('ENOENT');
  });
  it('a spool folder that cannot be made costs the whole text, not the result', async () => {
    const root = await scratch({spool: 'a file'});
    const bounded = await boundOutput('x'.repeat(100), {maxBytes: 10, maxLines: 5}, {dir: join(root, 'spool'), spoolPath: undefined});
    expect(bounded).toEqual({text: 'xxxxxx\n[… 90 bytes left out; they could not be saved …]\nxxxx', spoolPath: undefined});
  });
});

describe('known secrets', () => {
  it('are replaced in texts and in structured values', () => {
    const redactor = createRedactor({secrets: ['hunter22', 'hunter22-long', 'abc'], shapes: false});
    expect(redactor.text('a hunter22-long b hunter22 abc')).toBe('a [redacted] b [redacted] abc');
    expect(redactor.value({a: ['x hunter22'], b: {c: 1, d: null}})).toEqual({a: ['x [redacted]'], b: {c: 1, d: null}});
  });
  it('are found however a stream is cut into pieces', () => {
    const redactor = createRedactor({secrets: ['sesame-open', 'sesame', 'abcabc'], shapes: false});
    const whole = 'xx sesame-open yy sesame-ope abcabcabcab zz sesam';
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), {maxLength: 6}), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const stream = redactor.stream();
        const shown = places.slice(1).map((end, index) => stream.push(whole.slice(places[index], end)));
        expect([...shown, stream.end()].join('')).toBe(redactor.text(whole));
      }),
    );
  });
});
