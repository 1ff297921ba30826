import type {Operation} from './operation.ts';

/** An operation as a tool runs it: its schemas are for those who read about it. */
export type RunnableOperation<Args, Result> = Omit<Operation<Args, Result>, 'args' | 'result'> &
  Partial<Pick<Operation<Args, Result>, 'args' | 'result'>>;

/** Facts by which tools are listed, judged and scheduled, known before the operation is loaded. */
export type OperationFacts = Pick<Operation<never, never>, 'id' | 'permission' | 'sideEffect' | 'isKeyed'>;

/** An operation that is loaded by its first call: most are never called in a session, and a first request waits for none. */
export function lateOperation<Args, Result>(
  facts: OperationFacts,
  load: () => Promise<RunnableOperation<Args, Result>>,
): RunnableOperation<Args, Result> {
  return {...facts, resolve: async (args, ctx) => await (await load()).resolve(args, ctx)};
}
