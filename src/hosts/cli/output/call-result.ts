import {EXIT} from '../../../protocol/exit-code.ts';
import type {DispatchResult} from '../../../tools/dispatch/dispatch.ts';

/** Returns the result of a call as `tools call --json` prints it. */
export function structuredForm(result: DispatchResult): object {
  return {
    tool: result.toolName,
    outcome: result.outcome,
    is_error: result.isError,
    summary: result.summary,
    result: result.structured,
    changes: result.changes,
    spool_path: result.spoolPath ?? null,
    repairs: result.repairs,
    notes: result.notes,
    duration_ms: Math.round(result.durationMs),
    ...(result.fromCache === true ? {from_cache: true} : {}),
  };
}

/** Returns the exit code of a call. */
export function exitCodeOf({outcome}: DispatchResult): number {
  switch (outcome) {
    case 'success':
      return EXIT.done;
    case 'denied':
      return EXIT.denied;
    case 'invalid':
      return EXIT.usage;
    case 'cancelled':
      return EXIT.interrupted;
    case 'loop':
      return EXIT.loop;
    case 'error':
      return EXIT.failed;
  }
}
