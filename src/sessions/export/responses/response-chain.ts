import type {ThreadRewound, ThreadStarted} from '../../../protocol/events.ts';
import type {OpenResponse} from './response-object.ts';

/** Which response goes on from which. */
export interface ResponseChain {
  start(event: ThreadStarted): void;
  /** The next response, at a time in Unix seconds. A turn can have several. */
  next(turnId: string, createdAt: number): OpenResponse;
  /** The next one goes on from an earlier one. */
  rewind(event: ThreadRewound): void;
}

export function createResponseChain(): ResponseChain {
  let thread = {id: 'unknown', model: 'unknown'};
  let previous: string | null = null;
  /** What the conversation went on from at each turn and rewinding. */
  const points = new Map<string, string | null>();
  const used = new Map<string, number>();
  return {
    start({thread_id: id, model}) {
      thread = {id, model};
    },
    next(turnId, createdAt) {
      const number = (used.get(turnId) ?? 0) + 1;
      used.set(turnId, number);
      if (number === 1) points.set(turnId, previous);
      const id = number === 1 ? `resp_${turnId}` : `resp_${turnId}_${number}`;
      const response = {id, createdAt, previous, threadId: thread.id, turnId, model: thread.model, usage: undefined, output: []};
      previous = id;
      return response;
    },
    rewind({to, checkpoint_id: point}) {
      points.set(point, previous);
      if (points.has(to)) previous = points.get(to) ?? null;
    },
  };
}
