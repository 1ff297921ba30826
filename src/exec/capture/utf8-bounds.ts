/** Drops a character that is cut off at the end. Bytes that are not UTF-8 at all stay. */
export function dropPartialEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return back < sequenceLength(byte) ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Without the rest of a character that began before the start. */
export function dropPartialStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < Math.min(4, bytes.length) && isContinuation(bytes[start] ?? 0)) start += 1;
  // Four in a row are not character: binary data, left as it is.
  return start === 4 ? bytes : bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
