import fc from 'fast-check';
import {expect} from 'vitest';
import {readServerSentEvents} from '../../src/models/http/sse.ts';
import type {DecodedReply, DecodeFailure, Wire, WireDecoder} from '../../src/models/wire.ts';

export interface Decoded {
  readonly shown: ReturnType<WireDecoder['push']>;
  readonly end: DecodedReply | DecodeFailure;
}

/** A transcript through the decoder: one server-sent event for each value; strings stand as they are. */
export function decode(wire: Wire, values: readonly unknown[], cuts: readonly number[] = []): Decoded {
  const bytes = Buffer.from(values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join(''));
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const reader = readServerSentEvents();
  const decoder = wire.decoder();
  const shown = places
    .slice(1)
    .flatMap((end, index) => reader.push(bytes.subarray(places[index], end)).flatMap((event) => decoder.push(event)));
  return {shown, end: decoder.finish()};
}

/** However the bytes are cut, the reply and what was shown on the way are the same. */
export function expectSameInAnyPieces(wire: Wire, values: readonly unknown[]): void {
  const whole = decode(wire, values);
  fc.assert(
    fc.property(fc.array(fc.nat(100_000), {maxLength: 30}), (cuts) => {
      expect(decode(wire, values, cuts)).toEqual(whole);
    }),
    {numRuns: 100},
  );
}

/** What a person saw of the text, and what the dispatcher would see of the arguments of a call. */
export function joined(shown: Decoded['shown'], type: 'text' | 'reasoning' | 'tool_arguments'): string {
  return shown.map((event) => (event.type === type && 'delta' in event ? event.delta : '')).join('');
}
