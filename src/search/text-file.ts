import {isUtf8} from 'node:buffer';
import {closeSync, fstatSync, openSync, readSync} from 'node:fs';
import {decodeText} from '../text/encoding.ts';

/** A NUL before this byte makes a file binary. Source: "microcode tools › grep". */
const BINARY_WITHIN = 8192;
/** The built-in engine passes over larger files: it holds each in memory. */
const LARGEST = 256 * 1024 * 1024;

/** Reads files for searching, one after the other, into the same memory: the previous text is overwritten by the next. */
export class TextFileReader {
  /** True if the last file was decoded from Latin-1 or Windows-1252. */
  wasSingleByte = false;
  private readonly decodes: boolean;
  private buffer: Buffer = Buffer.allocUnsafe(64 * 1024);

  /** With `decodes`, files of Latin-1 and Windows-1252 are converted, too. */
  constructor({decodes}: {decodes: boolean}) {
    this.decodes = decodes;
  }

  /** The bytes of a text as UTF-8 without BOM (UTF-16 with BOM is converted); undefined: binary, too large, no regular file or unreadable. */
  read(path: string, maxBytes: number | undefined): Buffer | undefined {
    let file: number | undefined;
    try {
      file = openSync(path, 'r');
      const info = fstatSync(file);
      if (!info.isFile() || info.size > Math.min(maxBytes ?? LARGEST, LARGEST)) return undefined;
      return this.decoded(toText(this.fill(file, info.size)));
    } catch {
      return undefined; // ripgrep skips unreadable files as well
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  private decoded(text: Buffer | undefined): Buffer | undefined {
    this.wasSingleByte = false;
    if (!this.decodes || text === undefined || isUtf8(text)) return text;
    const {text: decoded, encoding} = decodeText(text);
    this.wasSingleByte = encoding === 'latin1' || encoding === 'windows-1252';
    return this.wasSingleByte ? Buffer.from(decoded) : text;
  }

  private fill(file: number, size: number): Buffer {
    if (size > this.buffer.length) this.buffer = Buffer.allocUnsafe(size);
    let length = 0;
    while (length < size) {
      const got = readSync(file, this.buffer, length, size - length, length);
      if (got === 0) break;
      length += got;
      if (length === got && isBinary(this.buffer.subarray(0, length))) break;
    }
    return this.buffer.subarray(0, length);
  }
}

function toText(bytes: Buffer): Buffer | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
  const charset = utf16Of(bytes);
  if (charset !== undefined) return Buffer.from(new TextDecoder(charset).decode(bytes));
  return isBinary(bytes) ? undefined : bytes;
}

function isBinary(bytes: Buffer): boolean {
  const nul = bytes.indexOf(0);
  return nul >= 0 && nul < BINARY_WITHIN && utf16Of(bytes) === undefined;
}

function utf16Of(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}
