import {isAscii, isUtf8} from 'node:buffer';

/** Looks at the bytes of a file that declares no encoding, piece by piece, and determines their encoding. */
export interface Utf8Probe {
  add(bytes: Uint8Array): void;
  /** The encoding of all bytes so far; call it once, at the end. */
  encoding(): 'utf-8' | 'latin1' | 'windows-1252';
}

export function createUtf8Probe(): Utf8Probe {
  let carried: Uint8Array = new Uint8Array(0);
  const seen = {sequences: false, strays: false, c1: false};
  const add = (bytes: Uint8Array) => {
    const piece = carried.length === 0 ? bytes : Buffer.concat([carried, bytes]);
    const open = openSequenceLength(piece);
    inspect(piece.subarray(0, piece.length - open), seen);
    carried = new Uint8Array(piece.subarray(piece.length - open)); // a copy: the reader fills its buffer again
  };
  const encoding = () => {
    inspect(carried, seen);
    if (!seen.strays || seen.sequences) return 'utf-8';
    return seen.c1 ? 'windows-1252' : 'latin1';
  };
  return {add, encoding};
}

/** Length of the valid multi-byte sequence at `at`, 0 if there is none (Unicode 16, table 3-7). */
export function sequenceLength(bytes: Uint8Array, at: number): 0 | 2 | 3 | 4 {
  const lead = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const [low, high] = SECOND_BYTE_LIMITS[lead] ?? [0x80, 0xbf];
  if (second < low || second > high) return 0;
  if (lead < 0xe0) return 2;
  if (!isContinuation(bytes[at + 2])) return 0;
  if (lead < 0xf0) return 3;
  return isContinuation(bytes[at + 3]) ? 4 : 0;
}

/** Number of bytes at the end that may begin a sequence continued in the next piece: 0..3. */
export function openSequenceLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return byte <= 0xf4 && wanted > back ? back : 0;
  }
  return 0;
}

function inspect(bytes: Uint8Array, seen: {sequences: boolean; strays: boolean; c1: boolean}): void {
  if (isAscii(bytes)) return;
  if (isUtf8(bytes)) {
    seen.sequences = true;
    return;
  }
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    const length = sequenceLength(bytes, at);
    if (length > 0) seen.sequences = true;
    else seen.strays = true;
    if (length === 0 && byte < 0xa0) seen.c1 = true;
    at += Math.max(0, length - 1);
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte <= 0xbf;
}

const SECOND_BYTE_LIMITS: Readonly<Record<number, readonly [number, number]>> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
};
