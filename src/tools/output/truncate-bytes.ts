/**
 * Returns the beginning of a text in at most `maxBytes` of UTF-8. It ends with a whole line if that loses less
 * than half, else with a whole character.
 */
export function headOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = Math.max(0, maxBytes);
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  const lineEnd = bytes.lastIndexOf(LINE_FEED, end - 1) + 1;
  return bytes.toString('utf8', 0, end > 0 && lineEnd > end / 2 ? lineEnd : end);
}

/** Returns the end of a text in at most `maxBytes` of UTF-8. It begins with a whole line if that loses less than half. */
export function tailOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let start = bytes.length - Math.max(0, maxBytes);
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  const lineStart = bytes.indexOf(LINE_FEED, start) + 1;
  return bytes.toString('utf8', lineStart > 0 && lineStart - start < (bytes.length - start) / 2 ? lineStart : start);
}

/** Returns both ends of a text in at most `maxBytes`, with a note about the omitted part between them. */
export function withoutMiddle(text: string, maxBytes: number): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  const room = Math.max(0, maxBytes - MARK_BYTES);
  return `${headOf(text, Math.ceil(room / 2))}[… ${bytes - room} bytes left out …]${tailOf(text, Math.floor(room / 2))}`;
}

const MARK_BYTES = 40;

const LINE_FEED = 0x0a;

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
