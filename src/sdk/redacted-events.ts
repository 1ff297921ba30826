import type {Redactor, RedactedStream} from '../base/redact.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import {redactEvent} from '../sessions/redact-event.ts';

type Update = Extract<ThreadEvent, {type: 'item.updated'}>;

/**
 * Events as hosts and logs get them. Text that arrives in pieces is held back a word at a time while a secret may go on in the next piece; the
 * rest comes as an update of its own before its item is completed.
 */
export function createEventRedactor(redactor: Redactor): (event: ThreadEvent) => readonly ThreadEvent[] {
  const open = new Map<string, {readonly stream: RedactedStream; last: Update}>();

  const flushed = (itemId: string): Update[] =>
    [...open].flatMap(([key, {stream, last}]) => {
      if (last.item_id !== itemId) return [];
      open.delete(key);
      const delta = stream.end();
      return delta === '' ? [] : [{...last, delta}];
    });

  return (event) => {
    if (event.type === 'item.updated') {
      const key = `${event.item_id}\n${event.stream ?? ''}`;
      const known = open.get(key) ?? {stream: redactor.stream(), last: event};
      known.last = event;
      open.set(key, known);
      const delta = known.stream.push(event.delta);
      return delta === '' ? [] : [{...event, delta}];
    }
    const clean = redactEvent(event, redactor);
    return event.type === 'item.completed' ? [...flushed(event.item.id), clean] : [clean];
  };
}
