import {FettleError, systemErrorCode} from '../../base/errors.ts';
import type {ToolOutcome} from '../../protocol/items.ts';
import {withoutMiddle} from '../output/truncate-bytes.ts';
import type {ToolReply, Toolset} from '../toolset.ts';

/** The outcome of a call, before its text is redacted, bounded and annotated. */
export interface CallOutcome extends ToolReply {
  readonly outcome: ToolOutcome;
  /** True if the operation itself was run, even if it failed, or if its result was cached from an earlier run. */
  readonly ran: boolean;
  readonly fromCache?: true;
  /** Notes added to the text after the run. */
  readonly notes?: readonly string[];
}

/** Converts a reply of an operation. A command stopped by a cancellation does not count as a failure. */
export function replyOutcome(reply: ToolReply, signal: AbortSignal): CallOutcome {
  if (!reply.isError) return {...reply, outcome: 'success', ran: true};
  return {...reply, outcome: signal.aborted ? 'cancelled' : 'error', ran: true};
}

/** Enough for the differences of several edits; a longer quote of the input would not help. */
const MAX_MESSAGE_BYTES = 20_000;

/** Converts an error, in the wording of the toolset. */
export function errorOutcome(error: FettleError, toolset: Toolset, call: {readonly toolName: string; readonly ran: boolean}): CallOutcome {
  const {code, hint} = error;
  const message = withoutMiddle(error.message, MAX_MESSAGE_BYTES);
  return {
    outcome: outcomeOf(error, call.ran),
    ran: call.ran,
    text: toolset.renderError(new FettleError({code, message, hint, cause: error.cause}), call.toolName),
    summary: message.split('\n', 1)[0] ?? code,
    structured: {code, message, ...(hint === undefined ? {} : {hint})},
    isError: true,
    changes: [],
  };
}

/** DENIED from an operation, or with an error of the operating system as its cause, is not a decision of the policy: the call failed. */
function outcomeOf({code, cause}: FettleError, ran: boolean): ToolOutcome {
  switch (code) {
    case 'BAD_ARGS':
      return 'invalid';
    case 'CANCELLED':
      return 'cancelled';
    case 'LOOP':
      return 'loop';
    case 'DENIED':
      return ran || systemErrorCode(cause) !== undefined ? 'error' : 'denied';
    default:
      return 'error';
  }
}
