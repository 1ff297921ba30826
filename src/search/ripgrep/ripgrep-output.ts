import {LineText} from '../line-text.ts';

/** One line that ripgrep printed: a match, or context around one. */
export interface PrintedLine {
  readonly line: number;
  readonly isMatch: boolean;
  readonly text: string;
}

/** Output of ripgrep about one file. */
export interface PrintedFile {
  readonly lines: PrintedLine[];
  /** Offset of the first NUL; the lines after it are missing. */
  nulAt: number | undefined;
}

/**
 * Reads the output of `rg --null --line-number --no-heading --binary` in pieces: `path NUL line : text LF`, with `-` for `:` in context,
 * and `path: binary file matches (found "\0" byte around offset N)`. Paths may hold any byte but NUL. Of each line only `maxLineChars` are kept.
 */
export class RipgrepOutput {
  readonly files = new Map<string, PrintedFile>();
  matches = 0;
  bytes = 0;
  private state: 'path' | 'number' | 'text' = 'path';
  private head: Buffer[] = [];
  private path = '';
  private line = 0;
  private isMatch = false;
  private readonly text: LineText;

  constructor(maxLineChars: number) {
    this.text = new LineText(maxLineChars);
  }

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    for (let at = 0; at < chunk.length;) {
      if (this.state === 'path') at = this.readPath(chunk, at);
      else if (this.state === 'number') at = this.readNumber(chunk, at);
      else at = this.readText(chunk, at);
    }
  }

  /** Call at the end of the output, which may be a message about a binary file. */
  end(): void {
    if (this.state !== 'path') return;
    this.takeMessages(Buffer.concat(this.head).toString('utf8'));
    this.head = [];
  }

  private readPath(chunk: Buffer, start: number): number {
    const end = chunk.indexOf(0, start);
    this.head.push(chunk.subarray(start, end < 0 ? chunk.length : end));
    if (end < 0) return chunk.length;
    this.path = relativePath(this.takeMessages(Buffer.concat(this.head).toString('utf8')));
    this.head = [];
    this.state = 'number';
    this.line = 0;
    return end + 1;
  }

  /** Cuts off the messages before a path. */
  private takeMessages(text: string): string {
    let rest = text;
    for (let found = BINARY.exec(rest); found !== null; found = BINARY.exec(rest)) {
      this.fileAt(relativePath(found[1] ?? '')).nulAt = Number(found[2]);
      rest = rest.slice(found[0].length);
    }
    return rest;
  }

  private readNumber(chunk: Buffer, start: number): number {
    let at = start;
    for (; at < chunk.length; at++) {
      const digit = (chunk[at] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) break;
      this.line = this.line * 10 + digit;
    }
    if (at === chunk.length) return at;
    this.isMatch = chunk[at] === COLON;
    this.state = 'text';
    return at + 1;
  }

  private readText(chunk: Buffer, start: number): number {
    const end = chunk.indexOf(LINE_FEED, start);
    this.text.add(chunk.subarray(start, end < 0 ? chunk.length : end));
    if (end < 0) return chunk.length;
    this.fileAt(this.path).lines.push({line: this.line, isMatch: this.isMatch, text: this.text.take()});
    if (this.isMatch) this.matches++;
    this.state = 'path';
    return end + 1;
  }

  private fileAt(path: string): PrintedFile {
    const known = this.files.get(path);
    if (known !== undefined) return known;
    const file: PrintedFile = {lines: [], nulAt: undefined};
    this.files.set(path, file);
    return file;
  }
}

const COLON = 0x3a;
const LINE_FEED = 0x0a;
const BINARY = /^([^]*?): binary file matches \(found "\\0" byte around offset (\d+)\)\n/;

/** ripgrep is started with `./`, so that no name looks like an option; Windows separators become `/`. */
function relativePath(printed: string): string {
  const path = printed.startsWith('.\\') ? printed.replaceAll('\\', '/') : printed;
  return path.startsWith('./') ? path.slice(2) : path;
}
