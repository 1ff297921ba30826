import {newId} from '../../base/ids.ts';
import type {ThreadEvent} from '../../protocol/events.ts';

interface Counted {
  /** Tokens of input, as the server counted them. */
  readonly reported: number;
  /** Estimated tokens of the request. */
  readonly expected: number;
}

/** Checks the token count of each request, and reports the first one that was cut. */
export function createCutNotice(emit: (event: ThreadEvent) => void): (counted: Counted) => void {
  let isReported = false;
  return (counted) => {
    if (isReported || !isCut(counted)) return;
    isReported = true;
    emit(silentCut(counted));
  };
}

/** True if a server read less than half of the request: some servers, such as Ollama, silently cut a prompt that does not fit. */
function isCut({reported, expected}: Counted): boolean {
  return reported >= SMALLEST_WINDOW && reported < expected / 2;
}

/** A count below the smallest existing window means that the server does not count, or counts only tokens that were not in its cache. */
const SMALLEST_WINDOW = 500;

/** Tells a person of it. */
function silentCut({reported, expected}: Counted): ThreadEvent {
  const message = `${truncationSummary({reported, expected})} ${CUT_HINT}`;
  return {type: 'item.completed', item: {id: newId('itm'), type: 'harness', event: 'silent_cut', message}};
}

export function truncationSummary({reported, expected}: Counted): string {
  return `The server read ${reported.toLocaleString('en')} of about ${expected.toLocaleString('en')} tokens: it silently truncates what does not fit.`;
}

export const CUT_HINT = 'Start it with a larger context (Ollama: OLLAMA_CONTEXT_LENGTH), or set context.window_tokens to what it has.';
