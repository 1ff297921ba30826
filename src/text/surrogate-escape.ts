import {isUtf8} from 'node:buffer';
import {FettleError} from '../base/errors.ts';
import {sequenceLength} from './utf8-probe.ts';

/** UTF-8 to text; each byte 0x80..0xFF outside a valid sequence becomes the lone surrogate U+DC80..DCFF (PEP 383). */
export function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const units = Buffer.allocUnsafe(bytes.length * 2);
  let used = 0;
  let validFrom = 0;
  const copyValid = (to: number) => {
    if (to > validFrom) used += units.write(bytes.toString('utf8', validFrom, to), used, 'utf16le');
  };
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : sequenceLength(bytes, at);
    if (length === 0) {
      copyValid(at);
      used = units.writeUInt16LE(ESCAPE + byte, used);
      validFrom = at + 1;
    }
    at += length || 1;
  }
  copyValid(bytes.length);
  return units.toString('utf16le', 0, used);
}

/**
 * Encodes the text again.
 * @throws FettleError BAD_ARGS for half a surrogate pair that does not encode a byte.
 */
export function encodeUtf8(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text));
  let used = 0;
  let from = 0;
  for (const {0: strays, index} of text.matchAll(/[\uDC80-\uDCFF]+/gu)) {
    used += bytes.write(wellFormed(text.slice(from, index)), used);
    for (let at = 0; at < strays.length; at++) used = bytes.writeUInt8(strays.charCodeAt(at) - ESCAPE, used);
    from = index + strays.length;
  }
  used += bytes.write(wellFormed(text.slice(from)), used);
  return bytes.subarray(0, used);
}

const ESCAPE = 0xdc00;

function wellFormed(piece: string): string {
  if (piece.isWellFormed()) return piece;
  throw new FettleError({
    code: 'BAD_ARGS',
    message: 'The text holds half a surrogate pair, which UTF-8 cannot carry. Nothing was written.',
    hint: 'Send the whole character: both halves of the pair.',
  });
}
