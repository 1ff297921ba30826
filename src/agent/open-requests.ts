import {onAbort} from '../base/waiting/on-abort.ts';
import type {ModelEvent, ModelFailure, ModelRequest, Provider} from '../models/provider.ts';

/** The model requests that are under way in a thread and its subagents, so that a host can have one of them sent again. */
export interface OpenRequests {
  /** Aborts the requests that are open, of the thread and of its subagents, or of one subagent only; each is sent again at once. Returns how many. */
  retry(agentId?: string): number;
  /** Opens the attempts of one owner; undefined: the thread itself. */
  of(agentId: string | undefined): OpenAttempt;
}

/** Registers one attempt of a request. It ends with `end`, or when `signal` aborts. */
export type OpenAttempt = (signal: AbortSignal) => Attempt;

interface Attempt {
  /** Aborts with the turn, and when the request is to be sent again. */
  readonly signal: AbortSignal;
  isRetried(): boolean;
  end(): void;
}

export function createOpenRequests(): OpenRequests {
  const open = new Map<AbortController, string | undefined>();
  return {
    retry(agentId) {
      const chosen = [...open].filter(([, owner]) => agentId === undefined || owner === agentId).map(([controller]) => controller);
      for (const controller of chosen) controller.abort();
      return chosen.length;
    },
    of: (owner) => (signal) => {
      const attempt = new AbortController();
      const leave = onAbort(signal, () => attempt.abort(signal.reason));
      open.set(attempt, owner);
      return {
        signal: attempt.signal,
        isRetried: () => attempt.signal.aborted && !signal.aborted,
        end() {
          open.delete(attempt);
          leave();
        },
      };
    },
  };
}

export interface RetriedStream {
  readonly provider: Provider;
  readonly request: ModelRequest;
  /** Absent: the request cannot be sent again on demand. */
  readonly openAttempt?: OpenAttempt | undefined;
}

/** Streams a request; one that is aborted to be sent again yields `retry`, as after a failure of the connection, and starts over. */
export async function* streamWithRetries(
  {provider, request, openAttempt}: RetriedStream,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  if (openAttempt === undefined) return yield* provider.stream(request, signal);
  for (let retries = 0; ; retries += 1) {
    const failure = yield* streamOnce({provider, request, openAttempt, retries}, signal);
    if (failure === undefined) return;
    yield {type: 'retry', attempt: retries + 1, delayMs: 0, reason: RETRIED, paid: failure.paid};
  }
}

/** Returns the failure of an attempt that was aborted to be sent again; every other end is passed on. */
async function* streamOnce(
  {provider, request, openAttempt, retries}: RetriedStream & {readonly openAttempt: OpenAttempt; readonly retries: number},
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  const attempt = openAttempt(signal);
  let retried: ModelFailure | undefined;
  try {
    for await (const event of provider.stream(request, attempt.signal)) {
      if (event.type === 'error' && attempt.isRetried()) retried = event.failure;
      else yield event.type === 'done' ? {...event, reply: {...event.reply, retries: event.reply.retries + retries}} : event;
    }
  } finally {
    attempt.end();
  }
  return retried;
}

const RETRIED = 'The request was aborted to be retried.';
