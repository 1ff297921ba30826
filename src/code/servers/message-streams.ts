import {PassThrough, Writable} from 'node:stream';
import {StreamMessageReader, StreamMessageWriter, type DataCallback, type Disposable} from 'vscode-jsonrpc/node';
import {toFettleError} from '../../base/errors.ts';
import type {ServerProcess} from '../../exec/process/server-process.ts';

/** The longest message; what a server sends beyond it is not read. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** What a process writes, as messages (LSP › Base Protocol), bounded: `onTooLong` is called once for a message that never ends. */
export class BoundedReader extends StreamMessageReader {
  readonly #pipe: PassThrough;
  readonly #onTooLong: () => void;
  #unread = 0;

  constructor(onTooLong: () => void) {
    const pipe = new PassThrough();
    super(pipe);
    this.#pipe = pipe;
    this.#onTooLong = onTooLong;
  }

  push(chunk: Buffer): void {
    const before = this.#unread;
    this.#unread += chunk.length;
    if (this.#unread <= MAX_MESSAGE_BYTES) this.#pipe.write(chunk);
    else if (before <= MAX_MESSAGE_BYTES) this.#onTooLong();
  }

  end(): void {
    this.#pipe.end();
  }

  override listen(callback: DataCallback): Disposable {
    return super.listen((message) => {
      this.#unread = 0;
      callback(message);
    });
  }
}

export function messageWriter(process: ServerProcess): StreamMessageWriter {
  return new StreamMessageWriter(
    new Writable({
      write(chunk: Buffer, _, done) {
        void hand(sent(process, chunk), done);
      },
    }),
  );
}

async function hand(outcome: Promise<Error | null>, to: (error: Error | null) => void): Promise<void> {
  to(await outcome);
}

/** Why it could not be sent; null where it was. */
async function sent(process: ServerProcess, chunk: Buffer): Promise<Error | null> {
  try {
    await process.write(chunk.toString('utf8'));
    return null;
  } catch (error) {
    return toFettleError(error);
  }
}
