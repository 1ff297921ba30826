import type {ToolStreamEvent} from '../../stream-event.ts';

/** Returns the final result of an operation, whether it streams or not. */
export async function ended<Result>(running: AsyncGenerator<ToolStreamEvent, Result, undefined> | Promise<Result>): Promise<Result> {
  if (!(Symbol.asyncIterator in running)) return await running;
  for (;;) {
    const step = await running.next();
    if (step.done === true) return step.value;
  }
}
