import {closeSync, mkdirSync, openSync, rmSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {createRedactor, type RedactedStream} from '../../base/redact.ts';
import {randomUUID} from 'node:crypto';

/** A command that writes without end must not fill the disk. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * A file for one long stream, made at the first write (0600, in a folder 0700). Writes are synchronous: the stream then never runs ahead of
 * the disk, and memory stays bounded. Secrets with a known value or shape do not reach the disk. It never throws: a full disk costs the file,
 * not the command, and `loss` reports it.
 */
export class SpillFile {
  readonly #folder: string;
  #fd: number | undefined;
  #size = 0;
  #started = false;
  #path: string | undefined;
  #loss: string | undefined;
  /** One character for each byte, so that other encodings survive unchanged. */
  readonly #clean: RedactedStream = createRedactor({shapes: true}).stream();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get started(): boolean {
    return this.#started;
  }

  /** Path of the file; undefined if nothing could be written. */
  get path(): string | undefined {
    return this.#path;
  }

  /** One line on the output that is missing from the file; undefined if nothing is. */
  get loss(): string | undefined {
    return this.#loss;
  }

  write(bytes: Buffer): void {
    this.#keep(this.#clean.push(bytes.toString('latin1')));
  }

  close(): void {
    if (this.#started) this.#keep(this.#clean.end());
    this.#shut();
  }

  #keep(text: string): void {
    try {
      if (!this.#started) this.#open();
      if (this.#fd !== undefined) this.#append(this.#fd, Buffer.from(text, 'latin1'));
    } catch (thrown) {
      this.#giveUp(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  #shut(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): void {
    this.#started = true;
    mkdirSync(this.#folder, {recursive: true, mode: 0o700});
    const path = join(this.#folder, `output-${randomUUID()}.log`);
    this.#fd = openSync(path, 'wx', 0o600);
    this.#path = path;
  }

  #append(fd: number, bytes: Buffer): void {
    const room = bytes.subarray(0, MAX_BYTES - this.#size);
    for (let done = 0; done < room.length;) done += writeSync(fd, room, done);
    this.#size += room.length;
    if (room.length === bytes.length) return;
    this.#loss = `Only the first ${MAX_BYTES} bytes were saved.`;
    this.#shut();
  }

  /** Half a file would look like the whole output, and deleting it frees space on a full disk. */
  #giveUp(reason: string): void {
    this.#loss = `The whole output could not be saved: ${reason}`;
    this.#shut();
    if (this.#path !== undefined) rmSync(this.#path, {force: true});
    this.#path = undefined;
  }
}
