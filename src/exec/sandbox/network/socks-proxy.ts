import type {Socket} from 'node:net';
import {pipeline} from 'node:stream';
import {isFettleError} from '../../../base/errors.ts';
import type {Dial} from './dial.ts';

const TIMEOUT_MS = 15_000;

/** Serves one connection by SOCKS 5 (RFC 1928): CONNECT alone, without authentication; names are looked up here. */
export async function serveSocks(socket: Socket, dial: Dial): Promise<void> {
  socket.on('error', () => socket.destroy());
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
  try {
    const request = await negotiate(socket);
    if (request === undefined) return void socket.destroy();
    if (request.command !== CONNECT) return refuse(socket, COMMAND_NOT_SUPPORTED);
    const upstream = await dial(request.host, request.port);
    if (socket.destroyed) return void upstream.destroy();
    socket.setTimeout(0);
    socket.write(reply(SUCCEEDED));
    upstream.write(request.rest);
    pipeline(socket, upstream, ignore);
    pipeline(upstream, socket, ignore);
  } catch (error) {
    refuse(socket, isFettleError(error) && error.code === 'DENIED' ? NOT_ALLOWED : HOST_UNREACHABLE);
  }
}

const CONNECT = 1;
const SUCCEEDED = 0;
const NOT_ALLOWED = 2;
const HOST_UNREACHABLE = 4;
const COMMAND_NOT_SUPPORTED = 7;
const MAX_BYTES = 4096;

export interface SocksRequest {
  readonly command: number;
  readonly host: string;
  readonly port: number;
  /** Bytes that followed the request. */
  readonly rest: Buffer;
}

async function negotiate(socket: Socket): Promise<SocksRequest | undefined> {
  let seen: Buffer = Buffer.alloc(0);
  let greeted = false;
  for (;;) {
    if (!greeted) {
      const rest = afterGreeting(seen);
      if (rest === 'broken') return undefined;
      if (rest !== 'more') {
        socket.write(Buffer.from([5, 0]));
        greeted = true;
        seen = rest;
      }
    }
    const request = greeted ? readSocksRequest(seen) : 'more';
    if (request === 'broken') return undefined;
    if (request !== 'more') return request;
    if (seen.length > MAX_BYTES) return undefined;
    const chunk = await nextChunk(socket);
    if (chunk === undefined) return undefined;
    seen = Buffer.concat([seen, chunk]);
  }
}

function afterGreeting(bytes: Buffer): Buffer | 'more' | 'broken' {
  const [version, count] = bytes;
  if (version === undefined || count === undefined) return 'more';
  if (version !== 5) return 'broken';
  if (bytes.length < 2 + count) return 'more';
  return bytes.subarray(2, 2 + count).includes(0) ? bytes.subarray(2 + count) : 'broken';
}

/** Reads a request: version, command, reserved, kind of address, address, port. `more`: it is not whole yet. Never throws. */
export function readSocksRequest(bytes: Buffer): SocksRequest | 'more' | 'broken' {
  if (bytes.length < 5) return bytes.length > 0 && bytes[0] !== 5 ? 'broken' : 'more';
  const [version, command = 0, , kind = 0, first = 0] = bytes;
  if (version !== 5) return 'broken';
  const start = kind === DOMAIN ? 5 : 4;
  const length = {[IPV4]: 4, [DOMAIN]: first, [IPV6]: 16}[kind];
  if (length === undefined || length === 0) return 'broken';
  const end = start + length;
  if (bytes.length < end + 2) return 'more';
  const address = bytes.subarray(start, end);
  return {command, host: hostOf(kind, address), port: bytes.readUInt16BE(end), rest: bytes.subarray(end + 2)};
}

const IPV4 = 1;
const DOMAIN = 3;
const IPV6 = 4;

/** Every byte of a name stays visible: an invalid host name is refused later. */
function hostOf(kind: number, address: Buffer): string {
  if (kind === DOMAIN) return address.toString('latin1');
  if (kind === IPV4) return address.join('.');
  return Array.from({length: 8}, (_, index) => address.readUInt16BE(index * 2).toString(16)).join(':');
}

async function nextChunk(socket: Socket): Promise<Buffer | undefined> {
  for (;;) {
    const chunk = socket.read() as Buffer | null;
    if (chunk !== null) return chunk;
    if (socket.readableEnded || socket.destroyed) return undefined;
    const more = Promise.withResolvers<void>();
    for (const event of ['readable', 'end', 'close'] as const) socket.once(event, more.resolve);
    await more.promise;
    for (const event of ['readable', 'end', 'close'] as const) socket.off(event, more.resolve);
  }
}

function refuse(socket: Socket, status: number): void {
  socket.end(reply(status));
}

function reply(status: number): Buffer {
  return Buffer.from([5, status, 0, IPV4, 0, 0, 0, 0, 0, 0]);
}

function ignore(): void {
  // One side ended: the pipeline has ended the other.
}
