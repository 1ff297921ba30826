import type {WireDecoder, WireEvent} from '../../src/models/wire.ts';
import {readServerSentEvents} from '../../src/models/http/sse.ts';

/** Everything that a decoder makes of a stream: what it shows, in order, and how it ends. */
export function decode(decoder: WireDecoder, events: readonly WireEvent[]) {
  const shown = events.flatMap((event) => decoder.push(event));
  return {shown, end: decoder.finish()};
}

/** The same from the bytes of a stream, cut at the given places. */
export function decodeBytes(decoder: WireDecoder, bytes: Uint8Array, cuts: readonly number[]) {
  const reader = readServerSentEvents();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const events = places.slice(1).flatMap((end, index) => reader.push(bytes.subarray(places[index], end)));
  return decode(decoder, events);
}

/** An event as a server names it in its data. */
export function named(data: {readonly type: string}): WireEvent {
  return {event: data.type, data: JSON.stringify(data)};
}

/** The text of a stream with named events. */
export function streamText(events: readonly {readonly type: string}[]): string {
  return events.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('');
}

/** All deltas of one kind, joined. */
export function joined(shown: readonly {readonly type: string}[], type: string): string {
  return shown.map((event) => (event.type === type && 'delta' in event ? String(event.delta) : '')).join('');
}
