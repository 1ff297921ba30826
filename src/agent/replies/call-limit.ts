import type {DispatchResult} from '../../tools/dispatch/dispatch.ts';
import type {AnnouncedCall} from './received-reply.ts';

/** The most calls of one reply that are run: a model that asks for more has lost its way, and must see results before it goes on. */
export const MAX_CALLS = 64;

/** The text of the result of a call beyond the limit. */
export const BEYOND_LIMIT = `not run: limit of ${MAX_CALLS} a reply`;

/** The result of a call that is not run: every call needs one, or the provider refuses the conversation. */
export function notRun({call}: AnnouncedCall, text: string): DispatchResult {
  return {
    callId: call.id,
    toolName: call.name,
    sideEffect: 'pure',
    outcome: 'error',
    text,
    summary: text,
    structured: {code: 'LIMIT', message: text},
    isError: true,
    changes: [],
    repairs: [],
    notes: [],
    durationMs: 0,
  };
}
