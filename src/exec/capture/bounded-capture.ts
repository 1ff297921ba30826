import type {CaptureLimits, CapturedOutput} from '../process/command.ts';
import {SpillFile} from './spill-file.ts';
import {dropPartialEnd, dropPartialStart} from './utf8-bounds.ts';

/**
 * Captures one stream of any length: the first and the last bytes stay in memory, and a longer stream also goes
 * to a file. Memory use is at most `headBytes + tailBytes`.
 */
export class BoundedCapture {
  readonly #limits: CaptureLimits;
  readonly #spill: SpillFile;
  #head = Buffer.alloc(0);
  #headLength = 0;
  readonly #tail: RingBuffer;
  #totalBytes = 0;
  #newlines = 0;
  #endsWithNewline = true;

  constructor(limits: CaptureLimits, spoolDir: string) {
    this.#limits = limits;
    this.#spill = new SpillFile(spoolDir);
    this.#tail = new RingBuffer(limits.tailBytes);
  }

  write(chunk: Buffer): void {
    if (chunk.length === 0) return;
    const {headBytes, tailBytes, spillAbove = headBytes + tailBytes} = this.#limits;
    if (!this.#spill.started && this.#totalBytes + chunk.length > spillAbove) this.#spill.write(this.#kept());
    if (this.#spill.started) this.#spill.write(chunk);
    this.#count(chunk);
    const forHead = Math.min(chunk.length, headBytes - this.#headLength);
    if (forHead > 0) {
      if (this.#headLength === 0) this.#head = Buffer.allocUnsafeSlow(headBytes);
      this.#headLength += chunk.copy(this.#head, this.#headLength, 0, forHead);
    }
    this.#tail.write(chunk.subarray(forHead));
  }

  /** Closes the file and returns the captured output. Call it once, when the stream has ended. */
  finish(): CapturedOutput {
    this.#spill.close();
    const truncated = this.#totalBytes > this.#limits.headBytes + this.#limits.tailBytes;
    const spilled = {spillPath: this.#spill.path, spillLoss: this.#spill.loss};
    const counts = {totalBytes: this.#totalBytes, totalLines: this.#newlines + (this.#endsWithNewline ? 0 : 1), truncated};
    if (!truncated) return {head: decode(this.#kept()), tail: '', ...counts, ...spilled};
    return {
      head: decode(dropPartialEnd(this.#head.subarray(0, this.#headLength))),
      tail: decode(dropPartialStart(this.#tail.read())),
      ...counts,
      ...spilled,
    };
  }

  #kept(): Buffer {
    return Buffer.concat([this.#head.subarray(0, this.#headLength), this.#tail.read()]);
  }

  #count(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) this.#newlines += 1;
    this.#endsWithNewline = chunk[chunk.length - 1] === NEWLINE;
  }
}

const NEWLINE = 0x0a;

function decode(bytes: Buffer): string {
  return bytes.toString('utf8');
}

/** The last `capacity` bytes of the output; memory is allocated with the first byte. */
class RingBuffer {
  readonly #capacity: number;
  #bytes = Buffer.alloc(0);
  #next = 0;
  #full = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  write(chunk: Buffer): void {
    if (chunk.length === 0 || this.#capacity === 0) return;
    if (this.#bytes.length === 0) this.#bytes = Buffer.allocUnsafeSlow(this.#capacity);
    const last = chunk.subarray(Math.max(0, chunk.length - this.#capacity));
    const beforeEnd = last.copy(this.#bytes, this.#next);
    last.copy(this.#bytes, 0, beforeEnd);
    this.#full ||= this.#next + last.length >= this.#capacity;
    this.#next = (this.#next + last.length) % this.#capacity;
  }

  read(): Buffer {
    if (!this.#full) return Buffer.from(this.#bytes.subarray(0, this.#next));
    return Buffer.concat([this.#bytes.subarray(this.#next), this.#bytes.subarray(0, this.#next)]);
  }
}
