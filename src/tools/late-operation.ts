import type {ToolContext} from './context.ts';
import type {Operation} from './operation.ts';

/** An operation as a tool runs it: its schemas are for those who read about it. */
export type RunnableOperation<Args, Result> = Omit<Operation<Args, Result>, 'args' | 'result' | 'serialKey'> &
  Partial<Pick<Operation<Args, Result>, 'args' | 'result'>> & {serialKey?(args: Args, ctx: ToolContext): Promise<string | undefined>};

/** Facts by which tools are listed, judged and scheduled, known before the operation is loaded. */
export type OperationFacts = Pick<Operation<never, never>, 'id' | 'permission' | 'sideEffect'> & {
  /** It can tell what it would write. */
  readonly previews?: true;
};

/** An operation that is loaded by its first call: most are never called in a session, and a first request waits for none. */
export function lateOperation<Args, Result>(
  {previews, ...facts}: OperationFacts,
  load: () => Promise<RunnableOperation<Args, Result>>,
): RunnableOperation<Args, Result> {
  return {
    ...facts,
    subjects: async (args, ctx) => await (await load()).subjects(args, ctx),
    serialKey: async (args, ctx) => await (await load()).serialKey?.(args, ctx),
    ...(previews === true ? {preview: async (args, ctx) => (await (await load()).preview?.(args, ctx)) ?? []} : {}),
    async *run(args, ctx) {
      const running = (await load()).run(args, ctx);
      return Symbol.asyncIterator in running ? yield* running : await running;
    },
  };
}
