/** Bytes in any pieces → lines of text, without their ends. A line beyond `maxBytes` is reported once, and nothing is read after it. */
export function createLineReader({maxBytes, onLine, onTooLong}: LineReaderOptions): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  let over = false;
  return (chunk) => {
    let start = 0;
    while (!over) {
      const end = chunk.indexOf(0x0a, start);
      const piece = chunk.subarray(start, end < 0 ? undefined : end);
      length += piece.length;
      if (length > maxBytes) {
        over = true;
        pieces = [];
        onTooLong();
        return;
      }
      if (end < 0) {
        if (piece.length > 0) pieces.push(piece);
        return;
      }
      const line = (pieces.length === 0 ? piece : Buffer.concat([...pieces, piece])).toString('utf8');
      pieces = [];
      length = 0;
      start = end + 1;
      onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
  };
}

interface LineReaderOptions {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  readonly onTooLong: () => void;
}
