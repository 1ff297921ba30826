import type {ThreadRewound, ThreadStarted} from '../../../protocol/events.ts';
import type {OpenResponse} from './response-object.ts';

/** Tracks which response continues which. */
export interface ResponseChain {
  start(event: ThreadStarted): void;
  /** The next response, at a time in Unix seconds. A turn can have several. */
  next(turnId: string, createdAt: number): OpenResponse;
  /** Makes the next response continue an earlier one. */
  rewind(event: ThreadRewound): void;
}

export function createResponseChain(): ResponseChain {
  let thread: {readonly id: string; readonly model: string; readonly worker?: OpenResponse['worker']} = {id: 'unknown', model: 'unknown'};
  let previous: string | null = null;
  /** The response that the conversation continued from at each turn and rewind; null: its beginning. */
  const points = new Map<string, string | null>();
  const used = new Map<string, number>();
  return {
    start({thread_id: id, model, parent_thread_id: parent, agent}) {
      thread = {id, model, ...(parent === undefined ? {} : {worker: {parent, agent}})};
    },
    next(turnId, createdAt) {
      const number = (used.get(turnId) ?? 0) + 1;
      used.set(turnId, number);
      if (number === 1) points.set(turnId, previous);
      const id = number === 1 ? `resp_${turnId}` : `resp_${turnId}_${number}`;
      const {id: threadId, model, worker} = thread;
      const response: OpenResponse = {id, createdAt, previous, threadId, turnId, model, worker, usage: undefined, output: []};
      previous = id;
      return response;
    },
    rewind({to, checkpoint_id: point}) {
      points.set(point, previous);
      if (points.has(to)) previous = points.get(to) ?? null;
    },
  };
}
