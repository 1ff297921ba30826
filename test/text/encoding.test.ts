import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decodeText, displayText, encodeText, type TextEncoding} from '../../src/text/encoding.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('decodeText', () => {
  const cases: [string, Uint8Array, TextEncoding, string][] = [
    ['the empty file', bytes(), 'utf-8', ''],
    ['one byte', bytes(0x61), 'utf-8', 'a'],
    ['UTF-8', Buffer.from('é→😀\n'), 'utf-8', 'é→😀\n'],
    ['UTF-8 with BOM', bytes(0xef, 0xbb, 0xbf, 0x61), 'utf-8-bom', 'a'],
    ['nothing but a BOM', bytes(0xef, 0xbb, 0xbf), 'utf-8-bom', ''],
    ['a second BOM, which is text', bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), 'utf-8-bom', '\uFEFF'],
    ['UTF-16LE with BOM', bytes(0xff, 0xfe, 0x61, 0, 0xe9, 0), 'utf-16le', 'aé'],
    ['UTF-16BE with BOM', bytes(0xfe, 0xff, 0, 0x61, 0x26, 0x3a), 'utf-16be', 'a☺'],
    ['UTF-16 with half a surrogate pair', bytes(0xff, 0xfe, 0x3d, 0xd8), 'utf-16le', '\uD83D'],
    ['Latin-1', bytes(0x63, 0x61, 0x66, 0xe9, 0x0a), 'latin1', 'café\n'],
    ['Latin-1 that ends like an open UTF-8 sequence', bytes(0x61, 0xc3), 'latin1', 'aÃ'],
    ['Windows-1252', bytes(0x93, 0x80, 0x81, 0xe9, 0x94), 'windows-1252', '“€\x81é”'],
    ['UTF-8 with a stray byte', bytes(0xc3, 0xa9, 0xe9, 0x0a), 'utf-8', 'é\uDCE9\n'],
    [
      'UTF-8 with an overlong form and an encoded surrogate',
      bytes(0xc3, 0xa9, 0xc0, 0x80, 0xed, 0xa0, 0x80),
      'utf-8',
      'é\uDCC0\uDC80\uDCED\uDCA0\uDC80',
    ],
    ['a BOM and a stray byte', bytes(0xef, 0xbb, 0xbf, 0xe9), 'utf-8-bom', '\uDCE9'],
  ];
  it.each(cases)('reads %s', (_, raw, encoding, text) => {
    expect(decodeText(raw)).toEqual({text, encoding});
  });

  it('takes a NUL after the first 8 KB for text (microcode tools › grep)', () => {
    const raw = Buffer.concat([Buffer.alloc(8192, 'a'), bytes(0)]);
    expect(decodeText(raw)).toEqual({text: `${'a'.repeat(8192)}\0`, encoding: 'utf-8'});
  });

  it.each([
    ['a NUL in the first 8 KB', Buffer.concat([Buffer.alloc(8191, 'a'), bytes(0)])],
    ['UTF-32', bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    ['half a unit of UTF-16', bytes(0xff, 0xfe, 0x61)],
  ])('refuses %s as binary', (_, raw) => {
    expect(() => decodeText(raw)).toThrow(expect.objectContaining({code: 'NOT_TEXT'}));
  });
});

describe('round trip', () => {
  /** Bytes from pieces that are likely to meet: sequences, broken sequences, marks, line breaks. */
  const pieces = fc.constantFrom('', 'abc\r\n', '\n', '\r', 'é', '→', '😀', '\uFEFF').map((text) => Buffer.from(text));
  const strays = fc
    .constantFrom([0xe9], [0xc3], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0xfe, 0xff], [0xff, 0xfe], [0x80], [0xc0, 0xaf])
    .map((raw) => Buffer.from(raw));
  const mixed = fc
    .array(
      fc.oneof(
        pieces,
        strays,
        fc.uint8Array({maxLength: 6}).map((raw) => Buffer.from(raw)),
      ),
    )
    .map((all) => Buffer.concat(all));

  it('gives every accepted byte string back (property)', () => {
    fc.assert(
      fc.property(fc.oneof(mixed, fc.uint8Array({maxLength: 300})), (raw) => {
        const decoded = decodedOrBinary(raw);
        fc.pre(decoded !== undefined);
        expect(Buffer.from(encodeText(decoded.text, decoded.encoding)).equals(raw)).toBe(true);
      }),
      {numRuns: 3000},
    );
  });

  it('accepts everything without NUL that is not half of UTF-16 (property)', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 100}), (raw) => {
        const even = raw.map((byte) => byte || 1).slice(0, raw.length & ~1);
        expect(() => decodeText(even)).not.toThrow();
      }),
    );
  });

  function decodedOrBinary(raw: Uint8Array) {
    try {
      return decodeText(raw);
    } catch {
      return undefined;
    }
  }
});

describe('encodeText', () => {
  it.each<[string, TextEncoding, string]>([
    ['→', 'latin1', 'U+2192'],
    ['€', 'latin1', 'U+20AC'],
    ['😀', 'windows-1252', 'U+1F600'],
    ['\x80', 'windows-1252', 'U+0080'],
  ])('refuses %j in %s and names it', (text, encoding, name) => {
    expect(() => encodeText(`a${text}`, encoding)).toThrow(
      expect.objectContaining({code: 'BAD_ARGS', message: expect.stringContaining(name), hint: expect.stringContaining('UTF-8')}),
    );
  });

  it.each(['\uD83D', 'a\uDC00', '\uD83D\uD83D\uDE00'])('refuses half a surrogate pair in UTF-8: %j', (text) => {
    expect(() => encodeText(text, 'utf-8')).toThrow(expect.objectContaining({code: 'BAD_ARGS'}));
  });

  it('writes Windows-1252 as the Encoding Standard has it', () => {
    expect([...encodeText('€’œÿ', 'windows-1252')]).toEqual([0x80, 0x92, 0x9c, 0xff]);
  });
});

describe('displayText', () => {
  it('shows stray bytes as U+FFFD and whole characters as they are', () => {
    expect(displayText('é\uDCE9😀\uD83D')).toBe('é\uFFFD😀\uFFFD');
  });
});
