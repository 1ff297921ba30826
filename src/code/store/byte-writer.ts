/** Grows as it is written to: numbers as LEB128, so that most take one byte, and a table of strings at the end. */
export class ByteWriter {
  private bytes = new Uint8Array(1024);
  private at = 0;
  private readonly strings = new Map<string, number>();

  /** A whole number from 0 to 2^53. */
  number(value: number): void {
    if (this.at + 8 > this.bytes.length) this.grow(8);
    let rest = value;
    while (rest > 0x7f) {
      this.bytes[this.at++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.at++] = rest;
  }

  /** A whole number that may be negative. */
  signed(value: number): void {
    this.number(value < 0 ? -value * 2 - 1 : value * 2);
  }

  /** A number for the string; equal ones are kept once. */
  string(text: string): void {
    let index = this.strings.get(text);
    if (index === undefined) {
      index = this.strings.size;
      this.strings.set(text, index);
    }
    this.number(index + 1);
  }

  optional(text: string | undefined): void {
    if (text === undefined) this.number(0);
    else this.string(text);
  }

  finish(): Uint8Array {
    const table = Buffer.from([...this.strings.keys()].map((text) => text.replaceAll('\0', '\uFFFD')).join('\0'), 'utf8');
    const done = new Uint8Array(4 + this.at + table.length);
    new DataView(done.buffer).setUint32(0, this.at);
    done.set(this.bytes.subarray(0, this.at), 4);
    done.set(table, 4 + this.at);
    return done;
  }

  private grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.at + by));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}
