import {FettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import {LATE, orLate} from '../../base/waiting/or-late.ts';
import type {CapturedOutput} from '../../exec/process/command.ts';
import type {Io} from './io.ts';

/** Limits of the text read from stdin besides a prompt. */
export interface PipedLimits {
  /** Milliseconds until the first byte: CI runners and editors often leave a pipe open and write nothing. */
  readonly firstByteMs: number;
  /** Bytes that the model gets of the beginning, and as many of the end. */
  readonly partBytes: number;
  /** Bytes above which the input is refused: it may never end. */
  readonly totalBytes: number;
}

const LIMITS: PipedLimits = {firstByteMs: 3000, partBytes: 100_000, totalBytes: 64_000_000};

/**
 * Returns the input piped into a command beside its prompt, framed for the model; undefined if stdin is not a pipe, socket or file, is empty, or
 * stays silent. Reports on stderr. Throws USAGE for binary input, and for more than `totalBytes`.
 */
export async function pipedInput(io: Pick<Io, 'piped' | 'note'>, limits = LIMITS): Promise<string | undefined> {
  const stream = io.piped();
  if (stream === undefined) return undefined;
  const chunks = stream[Symbol.asyncIterator]();
  const first = await orLate(chunks.next(), limits.firstByteMs);
  if (first === LATE) {
    release(stream);
    io.note(`No input on stdin within ${limits.firstByteMs / 1000} s: continuing without it. \`< /dev/null\` saves the wait.`);
    return undefined;
  }
  const slow = setTimeout(() => io.note('Reading stdin until it ends.'), limits.firstByteMs).unref();
  const captured = await readAll(first, chunks, limits).finally(() => clearTimeout(slow));
  const text = textOf(captured);
  if (text.trim() === '') return undefined;
  const part = bytes(limits.partBytes);
  const which = captured.truncated ? `the first and last ${part} of it` : 'it';
  io.note(`Read ${bytes(captured.totalBytes)} from stdin; the model gets ${which} with the prompt.`);
  const {framed} = await import('../../tools/toolsets/frame.ts');
  const leftOut = captured.truncated ? bytes(captured.totalBytes - 2 * limits.partBytes) : '';
  return `The command's stdin, data for this task:\n${framed('stdin', {left_out: leftOut}, text)}`;
}

type Chunks = AsyncIterator<string | Buffer>;

/** A pipe that stays open must not keep the process alive. */
function release(stream: NodeJS.ReadableStream & {unref?(): unknown}): void {
  stream.pause();
  stream.unref?.();
}

async function readAll(first: IteratorResult<string | Buffer>, chunks: Chunks, limits: PipedLimits): Promise<CapturedOutput> {
  const {BoundedCapture} = await import('../../exec/capture/bounded-capture.ts');
  const capture = new BoundedCapture({headBytes: limits.partBytes, tailBytes: limits.partBytes, spillAbove: Infinity}, '');
  let total = 0;
  for (let next = first; next.done !== true; next = await chunks.next()) {
    const chunk = Buffer.from(next.value);
    total += chunk.length;
    if (total > limits.totalBytes) {
      const hint = 'Save it to a file and name the file in the prompt, or pipe a part of it: … | tail -n 1000 | fettle exec "…"';
      throw new FettleError({code: 'USAGE', message: `stdin holds more than ${bytes(limits.totalBytes)}.`, hint});
    }
    capture.write(chunk);
  }
  return capture.finish();
}

/** Control sequences are for terminals, and can hide text. */
function textOf({head, tail, truncated}: CapturedOutput): string {
  const text = truncated ? `${head}\n[…]\n${tail}` : head;
  if (text.includes('\0') || (text.match(/\ufffd/g) ?? []).length > text.length / 10) {
    const hint = 'Save it to a file and name the file in the prompt, or leave it out: `< /dev/null`.';
    throw new FettleError({code: 'USAGE', message: 'stdin holds binary data, not text.', hint});
  }
  return visibleText(text).trimEnd();
}

function bytes(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'byte' : 'bytes'}`;
}
