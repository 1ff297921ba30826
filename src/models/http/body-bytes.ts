import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';

/** Writes request bodies; one for each provider. What it gives, in pieces to be sent one after the other, never changes. */
export type BodyWriter = (body: JsonObject) => readonly Uint8Array[];

/**
 * The JSON text of bodies in UTF-8, byte for byte what `JSON.stringify` gives. What stands in the lists of a body (messages, tools) is
 * remembered for as long as it lives: a request repeats the whole conversation, and only what is new in it is written anew. A body that
 * begins like the one before it shares its bytes. What was encoded once must not change.
 */
export function createBodyWriter(): BodyWriter {
  let last: Written = {pieces: [], bytes: Buffer.alloc(0), end: 0};
  return (body) => {
    const pieces = piecesOf(body);
    // The end of the last list and of the body come behind what the next body adds.
    const tail = Buffer.concat(pieces.splice(-CLOSING));
    const goesOn = last.pieces.every((piece, index) => pieces[index] === piece || pieces[index]?.equals(piece) === true);
    last = goesOn ? extended(last, pieces) : extended({pieces: [], bytes: Buffer.alloc(0), end: 0}, pieces);
    return [last.bytes.subarray(0, last.end), tail];
  };
}

interface Written {
  readonly pieces: readonly Buffer[];
  /** Longer than what is written: there is room for more. */
  readonly bytes: Buffer;
  readonly end: number;
}

/** Only bytes behind the end are written: a body that was given before stays as it is. */
function extended({pieces: before, bytes: written, end: start}: Written, pieces: readonly Buffer[]): Written {
  const added = pieces.slice(before.length);
  const end = added.reduce((sum, {length}) => sum + length, start);
  const bytes = end <= written.length ? written : Buffer.allocUnsafeSlow(start === 0 ? end : end * GROWTH);
  if (bytes !== written) written.copy(bytes, 0, 0, start);
  let at = start;
  for (const piece of added) at += piece.copy(bytes, at);
  return {pieces, bytes, end};
}

const GROWTH = 2;
/** Pieces behind the last element of a list. */
const CLOSING = 2;

function piecesOf(body: JsonObject): Buffer[] {
  const pieces: Buffer[] = [];
  let before = '{';
  for (const [name, value] of Object.entries(body)) {
    const text = Array.isArray(value) ? '[' : JSON.stringify(value);
    if (text === undefined) continue;
    pieces.push(Buffer.from(`${before}${JSON.stringify(name)}:${text}`));
    before = ',';
    if (!Array.isArray(value)) continue;
    for (const element of listBytes(value)) pieces.push(element);
    pieces.push(END_OF_LIST);
  }
  pieces.push(Buffer.from(before === '{' ? '{}' : '}'));
  return pieces;
}

const END_OF_LIST = Buffer.from(']');

/** Each with the comma before it, but for the first. */
function listBytes(list: readonly Json[]): Buffer[] {
  return list.map((element, index) => {
    const bytes = isObject(element) ? remembered(BYTES, element, elementBytes) : Buffer.from(`,${JSON.stringify(element) ?? 'null'}`);
    return index === 0 ? bytes.subarray(1) : bytes;
  });
}

function elementBytes(element: object): Buffer {
  return Buffer.from(`,${isJsonObject(element) ? messageText(element) : JSON.stringify(element)}`);
}

/** Some formats put a message together anew each time, of parts that stay the same. */
function messageText(message: JsonObject): string {
  const texts: string[] = [];
  for (const [name, value] of Object.entries(message)) {
    const text = Array.isArray(value) ? `[${value.map(partText).join(',')}]` : JSON.stringify(value);
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

function partText(part: Json): string {
  return isObject(part) ? remembered(TEXTS, part, JSON.stringify) : (JSON.stringify(part) ?? 'null');
}

const BYTES = new WeakMap<object, Buffer>();
const TEXTS = new WeakMap<object, string>();

function remembered<Written>(known: WeakMap<object, Written>, value: object, write: (value: object) => Written): Written {
  const found = known.get(value);
  if (found !== undefined) return found;
  const written = write(value);
  known.set(value, written);
  return written;
}

function isObject(value: Json): value is JsonObject | readonly Json[] {
  return typeof value === 'object' && value !== null;
}
