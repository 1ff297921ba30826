import {FettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';
import type {InputRecord, QueuedInput} from './input-record.ts';

export interface InputQueue {
  /**
   * Returns the id. Nothing is dropped silently: throws LIMIT if {@link MAX_QUEUED} inputs already wait. An id
   * that was accepted before, also by an earlier process, is not accepted again: a caller that does not know
   * whether an input arrived can send it again with the same id.
   */
  add(kind: QueuedInput['kind'], text: string, id?: string): string;
  /** Takes the oldest input, or the oldest of the given kind, out of the queue. */
  take(kind?: QueuedInput['kind']): QueuedInput | undefined;
  readonly size: number;
}

export interface InputQueueOptions {
  /** Inputs that earlier processes accepted. */
  readonly earlier?: InputRecord | undefined;
  /** Records an input, which counts as accepted when this returns. */
  readonly accept?: ((input: QueuedInput) => void) | undefined;
}

export const MAX_QUEUED = 16;

export function createInputQueue({earlier, accept}: InputQueueOptions = {}): InputQueue {
  const waiting: QueuedInput[] = [...(earlier?.waiting() ?? [])];
  const accepted = new Set<string>();
  return {
    add(kind, text, id = newId('inp')) {
      if (accepted.has(id) || earlier?.knows(id) === true) return id;
      if (waiting.length >= MAX_QUEUED) {
        const message = `${MAX_QUEUED} inputs are waiting already.`;
        throw new FettleError({code: 'LIMIT', message, hint: 'Wait until the running turn takes some, or cancel it.'});
      }
      const input = {id, kind, text};
      accept?.(input);
      accepted.add(id);
      waiting.push(input);
      return id;
    },
    take(kind) {
      const index = waiting.findIndex((input) => kind === undefined || input.kind === kind);
      return index < 0 ? undefined : waiting.splice(index, 1)[0];
    },
    get size() {
      return waiting.length;
    },
  };
}
