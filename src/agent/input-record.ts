import type {ThreadEvent} from '../protocol/events.ts';

/**
 * Inputs that arrive while a turn runs. A steering input goes into the running turn before its next request; a follow-up waits until the
 * turn is over and begins a turn of its own, one at a time (vtcode architecture › queued follow-up inputs).
 */
export interface QueuedInput {
  readonly id: string;
  readonly kind: 'steer' | 'follow_up';
  readonly text: string;
}

/** The record of queued inputs in the log of a session. Only what `observe` has seen. */
export interface InputRecord {
  observe(event: ThreadEvent): void;
  /** Inputs that were accepted and not applied, oldest first. */
  waiting(): readonly QueuedInput[];
  /** Returns true for an input that was accepted, applied or not. */
  knows(id: string): boolean;
}

/**
 * Creates a projection of the log: `input.queued` accepts an input, the user message that bears its id applies
 * it. Each is one line, so that a crash leaves an input either waiting or applied. An input that a rewind
 * removed stays applied: the person did not want it.
 */
export function createInputRecord(): InputRecord {
  const waiting = new Map<string, QueuedInput>();
  const known = new Set<string>();
  return {
    observe(event) {
      if (event.type === 'input.queued' && !known.has(event.input_id)) {
        known.add(event.input_id);
        waiting.set(event.input_id, {id: event.input_id, kind: event.kind, text: event.text});
      }
      if (event.type !== 'item.completed' || event.item.type !== 'user_message' || event.item.input_id === undefined) return;
      known.add(event.item.input_id);
      waiting.delete(event.item.input_id);
    },
    waiting: () => [...waiting.values()],
    knows: (id) => known.has(id),
  };
}
