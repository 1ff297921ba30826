import {isReadOnly} from '../../protocol/side-effect.ts';
import type {ToolContext} from '../context.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import type {ToolStreamEvent} from '../stream-event.ts';
import type {PreparedCall, Tool, ToolReply} from '../toolset.ts';

export interface Run {
  readonly tool: Tool;
  readonly prepared: PreparedCall;
  readonly ctx: ToolContext;
  readonly onOutput: (event: ToolStreamEvent) => void;
}

/**
 * Runs a call to its end. On cancellation a read is abandoned at once; a mutation is awaited, so that nothing changes after its result is
 * reported.
 */
export async function runCall({tool, prepared, ctx, onOutput}: Run): Promise<ToolReply> {
  const stream = prepared.run(ctx);
  for (;;) {
    const next = stream.next();
    const step = await (isReadOnly((prepared.effectiveCall ?? tool).sideEffect) ? orAbort(next, ctx.signal) : next);
    if (step.done === true) return step.value;
    onOutput(step.value);
  }
}
