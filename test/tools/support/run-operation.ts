import {toFettleError} from '../../../src/base/errors.ts';
import type {ToolContext} from '../../../src/tools/context.ts';
import type {Operation} from '../../../src/tools/operation.ts';
import type {ToolStreamEvent} from '../../../src/tools/stream-event.ts';

export interface OperationRun {
  readonly ctx: ToolContext;
  /** Gets what the operation streams. */
  readonly events?: ToolStreamEvent[];
}

/** Runs an operation to its end: its result, or code, message and hint of what it throws. */
export async function outcomeOf<Args, Result>(
  operation: Operation<Args, Result>,
  args: Args,
  {ctx, events = []}: OperationRun,
): Promise<unknown> {
  try {
    const running = (await operation.resolve(args, ctx)).run(ctx);
    if (!(Symbol.asyncIterator in running)) return await running;
    for (;;) {
      const step = await running.next();
      if (step.done === true) return step.value;
      events.push(step.value);
    }
  } catch (thrown) {
    const {code, message, hint} = toFettleError(thrown);
    return {code, message, ...(hint === undefined ? {} : {hint})};
  }
}
