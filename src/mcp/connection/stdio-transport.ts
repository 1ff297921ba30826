import type {JSONRPCMessage, Transport} from '@modelcontextprotocol/client';
import {FettleError} from '../../base/errors.ts';
import {isJsonObject, parseJson} from '../../base/json.ts';
import {createLineReader} from './line-reader.ts';
import {createMessageCount, FLOODED} from './message-count.ts';
import {startServerProcess, type ServerCommand, type ServerProcess} from '../../exec/process/server-process.ts';

/** Limits on what a server may send. Beyond them the server is cut off: the rest of the session continues without it. */
export const STDIO_LIMITS = {
  messageBytes: 16 * 1024 * 1024,
  /** Lines on stdout that are not messages. */
  strayLines: 1000,
};

/**
 * One JSON message a line over the pipes of a child (MCP 2026-07-28 › transports › stdio). The transport of the SDK is not used: it starts
 * a second copy of each server to find the era, keeps no bound on messages, and leaves children of the server alive.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  /** Returns why the connection is over; undefined while it is open. */
  ended: string | undefined;
  readonly #command: ServerCommand;
  #process: ServerProcess | undefined;
  #turn: Promise<void> = Promise.resolve();
  readonly #count = createMessageCount();
  #strayLines = 0;

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  /** By `pid` and `stderr` the SDK knows that a silent server may be an old one, and falls back. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get stderr(): string {
    return this.#process?.stderr() ?? '';
  }

  async start(): Promise<void> {
    const read = createLineReader({
      maxBytes: STDIO_LIMITS.messageBytes,
      // A tick for each message: progress that arrives with the answer is reported before the answer ends the call.
      onLine: (line) => void (this.#turn = this.#turn.then(() => this.#receive(line))),
      onTooLong: () => this.#cut(`it sent a message of more than ${STDIO_LIMITS.messageBytes} bytes`),
    });
    this.#process = await startServerProcess(this.#command, {
      onData: (chunk) => {
        if (this.ended === undefined) read(chunk);
      },
      onExit: (reason) => this.#finish(reason),
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#process === undefined || this.ended !== undefined) {
      throw new FettleError({
        code: 'UNAVAILABLE',
        message: `The connection is closed${this.ended === undefined ? '' : `: ${this.ended}`}.`,
      });
    }
    this.#count.sent(message);
    await this.#process.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#finish('it was closed');
    await this.#process?.close();
  }

  #receive(line: string): void {
    if (this.ended !== undefined || line.trim() === '') return;
    const message = parseJson(line);
    if (!isJsonObject(message) || message['jsonrpc'] !== '2.0') {
      this.#strayLines += 1;
      if (this.#strayLines > STDIO_LIMITS.strayLines) this.#cut('it writes lines to stdout that are not protocol messages');
      return;
    }
    if (!this.#count.received(message)) {
      this.#cut(FLOODED);
      return;
    }
    try {
      this.onmessage?.(message as unknown as JSONRPCMessage); // the SDK validates its input
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  #cut(reason: string): void {
    this.#finish(`${reason}, and was ended`);
    void this.#process?.close();
  }

  #finish(reason: string): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    this.onclose?.();
  }
}
