import {createRedactor} from '../../base/redact.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {Session} from '../../sessions/session-store.ts';
import {createEventRedactor} from '../sessions/redacted-events.ts';

export interface Takers {
  /** What the model works with. */
  readonly inside: readonly ((event: ThreadEvent) => void)[];
  /** What is kept or passed on. */
  readonly outside: readonly ((event: ThreadEvent) => void)[];
}

/**
 * The one way of an event: into the log, the conversation and the memory, to the host. What a host has shown is kept; a log that cannot be
 * written fails the turn. Secrets stay in the conversation alone; a session that is resumed goes on without them.
 */
export function eventSink({log}: Session, {inside, outside}: Takers, secrets: readonly string[] | undefined): (event: ThreadEvent) => void {
  const redacted = createEventRedactor(createRedactor({secrets, shapes: true}));
  return (event) => {
    const clean = redacted(event);
    for (const one of clean) log.append(one);
    for (const take of inside) take(event);
    for (const one of clean) for (const take of outside) take(one);
  };
}
