import {FettleError} from '../base/errors.ts';
import {decodeSingleByte, encodeSingleByte} from './single-byte.ts';
import {decodeUtf8, encodeUtf8} from './surrogate-escape.ts';
import {createUtf8Probe} from './utf8-probe.ts';

/** The encoding of the characters of a file; a byte order mark is part of the encoding, never of the text. */
export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'latin1' | 'windows-1252';

export interface DecodedText {
  /** Without byte order mark. Bytes that are not UTF-8 in a UTF-8 file become lone surrogates U+DC80..DCFF. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** As in `grep`: a NUL among the first 8 KB makes a file binary ("microcode tools › grep"). */
const BINARY_SNIFF_BYTES = 8192;

/**
 * Decodes bytes without loss: `encodeText` of the result gives the same bytes back, whatever they are. A file whose high bytes are nowhere valid
 * UTF-8 is Latin-1 (Windows-1252 if it uses 0x80..0x9F, as in the Encoding Standard).
 * @throws FettleError NOT_TEXT for binary content.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const mark = markOf(bytes.subarray(0, BINARY_SNIFF_BYTES), bytes.length);
  const encoding = mark ?? encodingWithoutMark(bytes);
  return {text: decodeBytes(bytes.subarray(markLength(encoding)), encoding), encoding};
}

/**
 * Text to bytes, with the byte order mark that the encoding names.
 * @throws FettleError BAD_ARGS for a character that the encoding cannot carry.
 */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  switch (encoding) {
    case 'utf-8':
      return encodeUtf8(text);
    case 'utf-8-bom':
      return Buffer.concat([UTF8_MARK, encodeUtf8(text)]);
    case 'utf-16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    default:
      return encodeSingleByte(text, encoding);
  }
}

/** The text as it may be shown or sent: surrogates for stray bytes, and other lone surrogates, become U+FFFD. */
export function displayText(text: string): string {
  return text.toWellFormed();
}

/**
 * The encoding that the first bytes of a file of `size` bytes declare by a byte order mark; undefined: none.
 * @throws FettleError NOT_TEXT if they cannot be the beginning of text.
 */
export function markOf(head: Uint8Array, size: number): TextEncoding | undefined {
  const mark = declaredBy(head);
  const utf32 = mark === 'utf-16le' && head.length >= 4 && head[2] === 0 && head[3] === 0;
  if (utf32) throw notText('it is UTF-32');
  if (mark === 'utf-16le' || mark === 'utf-16be') {
    if (size % 2 !== 0) throw notText('it begins like UTF-16 but has an odd number of bytes');
    return mark;
  }
  if (head.subarray(0, BINARY_SNIFF_BYTES).includes(0)) throw notText('it holds NUL bytes');
  return mark;
}

/** Bytes of the byte order mark. */
export function markLength(encoding: TextEncoding): number {
  if (encoding === 'utf-8-bom') return UTF8_MARK.length;
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 0;
}

/** Decodes bytes without byte order mark whose encoding is known: a whole file, or whole lines of one. */
export function decodeBytes(bytes: Uint8Array, encoding: TextEncoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (encoding) {
    case 'utf-8':
    case 'utf-8-bom':
      return decodeUtf8(buffer);
    case 'utf-16le':
      return buffer.toString('utf16le');
    case 'utf-16be':
      return Buffer.from(buffer).swap16().toString('utf16le');
    default:
      return decodeSingleByte(buffer, encoding);
  }
}

function declaredBy(head: Uint8Array): TextEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8-bom';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return undefined;
}

function encodingWithoutMark(bytes: Uint8Array): TextEncoding {
  const probe = createUtf8Probe();
  probe.add(bytes);
  return probe.encoding();
}

function notText(why: string): FettleError {
  return new FettleError({
    code: 'NOT_TEXT',
    message: `The file is not text: ${why}.`,
    hint: 'Use a command that understands the format (file, xxd, strings …).',
  });
}

const UTF8_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
