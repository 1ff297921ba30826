import {isReadOnly} from '../../protocol/side-effect.ts';
import type {ToolContext} from '../context.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import type {ToolStreamEvent} from '../stream-event.ts';
import type {ResolvedCall, ToolReply} from '../toolset.ts';
import type {SideEffect} from '../../protocol/side-effect.ts';

export interface Run {
  readonly sideEffect: SideEffect;
  readonly resolved: ResolvedCall;
  readonly ctx: ToolContext;
  readonly onOutput: (event: ToolStreamEvent) => void;
}

/**
 * Runs a call to its end. On cancellation a read is abandoned at once; a mutation is awaited, so that nothing changes after its result is
 * reported.
 */
export async function runCall({sideEffect, resolved, ctx, onOutput}: Run): Promise<ToolReply> {
  const stream = resolved.run(ctx);
  for (;;) {
    const next = stream.next();
    const step = await (isReadOnly(sideEffect) ? orAbort(next, ctx.signal) : next);
    if (step.done === true) return step.value;
    onOutput(step.value);
  }
}
