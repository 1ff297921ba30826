import {FettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';

/**
 * Inputs that arrive while a turn runs. A steering input goes into the running turn before its next request; a follow-up waits until the
 * turn is over and begins a turn of its own, one at a time (vtcode architecture › queued follow-up inputs).
 */
export interface QueuedInput {
  readonly id: string;
  readonly kind: 'steer' | 'follow_up';
  readonly text: string;
}

export interface InputQueue {
  /** Returns the id; throws LIMIT where {@link MAX_QUEUED} inputs already wait: nothing is dropped silently. */
  add(kind: QueuedInput['kind'], text: string): string;
  /** Takes the oldest input of a kind out of the queue. */
  take(kind: QueuedInput['kind']): QueuedInput | undefined;
  readonly size: number;
}

export const MAX_QUEUED = 16;

export function createInputQueue(): InputQueue {
  const waiting: QueuedInput[] = [];
  return {
    add(kind, text) {
      if (waiting.length >= MAX_QUEUED) {
        const message = `${MAX_QUEUED} inputs are waiting already.`;
        throw new FettleError({code: 'LIMIT', message, hint: 'Wait until the running turn takes some, or cancel it.'});
      }
      const id = newId('inp');
      waiting.push({id, kind, text});
      return id;
    },
    take(kind) {
      const index = waiting.findIndex((input) => input.kind === kind);
      return index < 0 ? undefined : waiting.splice(index, 1)[0];
    },
    get size() {
      return waiting.length;
    },
  };
}
