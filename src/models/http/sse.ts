import {createParser} from 'eventsource-parser';
import {isJsonObject, parseJson} from '../../base/json.ts';
import type {WireEvent} from '../wire.ts';

/** Takes the bytes of one answer as they come; returns the events that became complete. */
export interface EventReader {
  push(bytes: Uint8Array): readonly WireEvent[];
  /** After the last byte. */
  end(): readonly WireEvent[];
}

/**
 * Detects the real type of a response, whatever its content type says: some servers ignore `stream: true`, some
 * gateways give JSON or a stream the wrong type. No event stream begins with a bracket.
 */
export function readEventStream(): EventReader {
  let reader: EventReader | undefined;
  return {
    push(bytes) {
      reader ??= startsAsJson(bytes) ? readWholeBody() : readServerSentEvents();
      return reader.push(bytes);
    },
    end() {
      // The specification drops an event without the empty line after it; servers forget that line. Complete JSON was not cut off.
      const late = reader?.push(EMPTY_LINE).filter(({data}) => isJsonObject(parseJson(data))) ?? [];
      return [...late, ...(reader?.end() ?? [])];
    },
  };
}

const EMPTY_LINE = Buffer.from('\n\n');

function startsAsJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20);
  return first === 0x7b || first === 0x5b;
}

/**
 * Reads server-sent events (WHATWG HTML, "server-sent events"; the format cases of web-platform-tests). An event without the empty line
 * after it is dropped, as the specification says: the stream broke off in it.
 */
export function readServerSentEvents(): EventReader {
  let events: WireEvent[] = [];
  const parser = createParser({onEvent: ({event, data}) => events.push({event, data})});
  // The parser takes off the one BOM that may be at the start; a second one belongs to the text.
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  return {
    push(bytes) {
      events = [];
      parser.feed(decoder.decode(bytes, {stream: true}));
      return events;
    },
    end: () => [],
  };
}

/** Reads an answer that is one JSON text: some servers ignore `stream: true`. It becomes a single event. */
export function readWholeBody(): EventReader {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  return {
    push(bytes) {
      pieces.push(decoder.decode(bytes, {stream: true}));
      return [];
    },
    end() {
      const data = pieces.join('') + decoder.decode();
      return data.trim() === '' ? [] : [{event: undefined, data}];
    },
  };
}
