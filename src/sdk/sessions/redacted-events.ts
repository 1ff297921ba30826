import type {Redactor} from '../../base/redact.ts';
import {createRedactedStreams, type RedactedStreams, type StreamPiece} from '../../base/redacted-streams.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {redactEvent} from '../../sessions/redact-event.ts';

type Update = Extract<ThreadEvent, {type: 'item.updated'}>;

/**
 * Redacts events for hosts and logs. Text that arrives in pieces is held back a word at a time while a secret may go on in the next piece; the
 * rest comes as an update of its own before its item is completed. The streams of an item keep their order.
 */
export function createEventRedactor(redactor: Redactor): (event: ThreadEvent) => readonly ThreadEvent[] {
  const open = new Map<string, OpenItem>();
  return (event) => {
    if (event.type === 'item.updated') {
      const item = open.get(event.item_id) ?? {streams: createRedactedStreams(redactor), last: new Map()};
      open.set(event.item_id, item);
      item.last.set(event.stream, event);
      return updates(item, item.streams.push(event.stream, event.delta));
    }
    const clean = redactEvent(event, redactor);
    if (event.type !== 'item.completed') return [clean];
    const item = open.get(event.item.id);
    open.delete(event.item.id);
    return item === undefined ? [clean] : [...updates(item, item.streams.end()), clean];
  };
}

interface OpenItem {
  readonly streams: RedactedStreams<Update['stream']>;
  /** The newest update of each stream. */
  readonly last: Map<Update['stream'], Update>;
}

function updates({last}: OpenItem, pieces: readonly StreamPiece<Update['stream']>[]): Update[] {
  return pieces.flatMap(({key, text}) => {
    const update = last.get(key);
    return update === undefined ? [] : [{...update, delta: text}];
  });
}
