import {createAsyncQueue} from '../../base/async-queue.ts';
import {FettleError} from '../../base/errors.ts';
import type {ToolOutput} from '../stream-event.ts';
import {createStallTimeout, type StallTimeout} from './stall-timeout.ts';
import {createProgressFlow} from './progress-flow.ts';

/** The interface through which author code reports progress and is stopped. */
export interface AuthorCallScope {
  /** Aborts when the call is cancelled or abandoned. */
  readonly signal: AbortSignal;
  readonly emit: (progress: unknown) => void;
  readonly waitFor: StallTimeout['pauseFor'];
}

export interface AuthorCall {
  readonly signal: AbortSignal;
  readonly idleMs: number;
  readonly start: (scope: AuthorCallScope) => unknown;
}

/**
 * Runs the code of an author: it may never end, ignore its signal, report without end, or throw anything.
 * Streams its progress and returns its result; ends within its limits in any case.
 */
export async function* runAuthorCode({signal, idleMs, start}: AuthorCall): AsyncGenerator<ToolOutput, unknown, undefined> {
  const events = createAsyncQueue<ToolOutput>();
  const stall = createStallTimeout(idleMs, signal);
  const stop = new AbortController();
  const flow = createProgressFlow(events.push);
  const misuse = Promise.withResolvers<never>();
  const say = (progress: unknown): void => {
    if (stop.signal.aborted) return; // abandoned: later progress is ignored
    stall.touch();
    flow.push(progress);
  };
  // May be called from anywhere, even from an event callback, where an exception would end the process.
  const emit = (progress: unknown): void => {
    try {
      say(progress);
    } catch (error) {
      misuse.reject(error);
    }
  };
  const scope = {signal: AbortSignal.any([signal, stop.signal]), emit, waitFor: stall.pauseFor};
  const ended = stall.orLost(Promise.race([drive(start, scope, say), misuse.promise]));
  ended.then(events.end, events.fail);
  try {
    yield* events;
    return await ended;
  } finally {
    stall.end();
    stop.abort();
  }
}

async function drive(start: AuthorCall['start'], scope: AuthorCallScope, say: (progress: unknown) => void): Promise<unknown> {
  const returned: unknown = await start(scope);
  if (!isGenerator(returned)) return returned;
  try {
    for (;;) {
      const step = await returned.next();
      if (step.done === true) return step.value;
      if (scope.signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
      say(step.value);
    }
  } finally {
    // The generator's own `finally` runs; nothing waits for it.
    returned.return(undefined).catch(() => undefined);
  }
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, undefined> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value && 'return' in value;
}
