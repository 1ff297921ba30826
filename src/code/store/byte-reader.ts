/** Reads what a `ByteWriter` wrote. The table of strings is taken apart when the first is asked for. */
export class ByteReader {
  private at = 4;
  private readonly bytes: Uint8Array;
  private readonly end: number;
  private table: readonly string[] | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.end = bytes.length < 4 ? 4 : 4 + new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
  }

  get isDone(): boolean {
    return this.at >= this.end;
  }

  number(): number {
    let value = this.bytes[this.at++] ?? 0;
    if (value < 0x80) return value;
    value -= 0x80;
    for (let scale = 0x80; ; scale *= 0x80) {
      const byte = this.bytes[this.at++] ?? 0;
      if (byte < 0x80) return value + byte * scale;
      value += (byte - 0x80) * scale;
    }
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  string(): string {
    return this.strings()[this.number() - 1] ?? '';
  }

  optional(): string | undefined {
    const index = this.number();
    return index === 0 ? undefined : this.strings()[index - 1];
  }

  strings(): readonly string[] {
    this.table ??= Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.end, this.bytes.length - this.end)
      .toString('utf8')
      .split('\0');
    return this.table;
  }
}
