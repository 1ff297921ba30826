/** Collects the bytes of one line and keeps only its start: a line of a minified file can have megabytes. */
export class LineText {
  private readonly maxChars: number;
  private parts: Buffer[] = [];
  private kept = 0;

  constructor(maxChars: number) {
    this.maxChars = maxChars;
  }

  add(bytes: Buffer): void {
    const room = this.maxChars * WIDEST - this.kept;
    if (room <= 0 || bytes.length === 0) return;
    const part = Buffer.from(bytes.subarray(0, room));
    this.parts.push(part);
    this.kept += part.length;
  }

  /** The text up to the limit, without the carriage return of its line end. */
  take(): string {
    const [first, ...more] = this.parts;
    const bytes = more.length === 0 ? (first ?? Buffer.alloc(0)) : Buffer.concat(this.parts);
    this.parts = [];
    this.kept = 0;
    return boundLine(bytes.toString('utf8'), this.maxChars);
  }
}

/** Bytes that a character of a string (a UTF-16 unit) takes at most. */
const WIDEST = 3;

/**
 * Cuts to so many characters (UTF-16 units), never within a code point. Carriage returns at the end are dropped, also several: ripgrep
 * adds one to a last line without LF.
 */
export function boundLine(text: string, maxChars: number): string {
  let end = text.length;
  while (text[end - 1] === '\r') end--;
  const line = text.slice(0, end);
  if (line.length <= maxChars) return line;
  const last = line.charCodeAt(maxChars - 1);
  return line.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars);
}
