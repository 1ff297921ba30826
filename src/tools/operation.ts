import type * as z from 'zod/mini';
import type {Subject} from '../policy/decision.ts';
import type {SideEffect} from '../protocol/side-effect.ts';
import type {ToolContext} from './context.ts';
import type {FileState} from '../workspace/file-state.ts';
import type {ToolStreamEvent} from './stream-event.ts';

/**
 * Something that can be done, without a name for models: `fs.read`, `edit.text`, `exec.shell` … One file each in operations/.
 * Toolsets publish operations under names, parameters and texts of their own.
 */
export interface Operation<Args, Result> {
  /** `<area>.<verb>`. */
  readonly id: string;
  /** The name that permission rules use for it in every toolset: `read`, `write`, `edit`, `grep`, `bash` … */
  readonly permission: string;
  readonly args: z.ZodMiniType<Args>;
  readonly result: z.ZodMiniType<Result>;
  readonly sideEffect: SideEffect;
  /** Permission and side effect of a call that does less than the operation could; undefined or absent: the ones above. */
  effectiveCall?(args: Args): EffectiveCall | undefined;
  /** Each call runs the command line that is its subject, to its end, and does nothing besides. Absent: that is not known. */
  readonly isLine?: true;
  /** True for a call that starts what goes on after the thread: permission is asked for that as well, under the name `keep`. */
  background?(args: Args): boolean;
  /**
   * Returns a key for everything that the result depends on, except state that calls change. As long as no call
   * changes anything, a call with the same key gets the same result. undefined or absent: every call runs. Only if
   * the side effect is `pure` or `read`.
   */
  cacheKey?(args: Args, ctx: ToolContext): string | undefined;
  /** True where a resolved call has a `serialKey`; absent: a mutation is alone among all others. */
  readonly isKeyed?: boolean | undefined;
  /** Finds out what the arguments name, once for the whole call: what is judged, shown and run is this and nothing else. Changes nothing. */
  resolve(args: Args, ctx: ToolContext): Promise<ResolvedOperation<Result>>;
}

/** A promise of the result, or a generator that streams progress and returns it. Throws FettleError on failure. */
export type Running<Result> = AsyncGenerator<ToolStreamEvent, Result, undefined> | Promise<Result>;

/**
 * A call whose paths are resolved. Between this and `run` a person may think for an hour: each path is opened by what it was resolved to, and
 * what leads elsewhere by then is refused (STALE).
 */
export interface ResolvedOperation<Result> {
  /** The subjects that permission rules match: the command line, or each path. */
  readonly subjects: readonly Subject[];
  /** Two mutations with the same key never run at the same time; absent: alone among all mutations. */
  readonly serialKey?: string | undefined;
  /** Returns the files that the call would write, without writing them, for approval. Absent: unknown before the run. Throws what `run` would. */
  preview?(ctx: ToolContext): Promise<readonly PlannedFile[]>;
  run(ctx: ToolContext): Running<Result>;
}

/** An operation that opens nothing by a path that was judged, or finds its paths as it runs: by the workspace of its context, which is pinned. */
export interface PlainOperation<Args, Result> extends Operation<Args, Result> {
  subjects(args: Args, ctx: ToolContext): Promise<readonly Subject[]>;
  serialKey?(args: Args): string;
  run(args: Args, ctx: ToolContext): Running<Result>;
}

export function plainOperation<Args, Result>(
  definition: Omit<PlainOperation<Args, Result>, 'resolve' | 'isKeyed'>,
): PlainOperation<Args, Result> {
  return {
    ...definition,
    isKeyed: definition.serialKey !== undefined,
    resolve: async (args, ctx) => ({
      subjects: await definition.subjects(args, ctx),
      serialKey: definition.serialKey?.(args),
      run: (own) => definition.run(args, own),
    }),
  };
}

/** A text file before and after a call that has not been made. */
export interface PlannedFile {
  /** The path as shown to people: relative to the workspace, absolute outside. */
  readonly path: string;
  /** Absent for a file that is created. */
  readonly before?: string | undefined;
  /** Absent for a file that is deleted. */
  readonly after?: string | undefined;
  /** Set if the call does nothing to this file but replace `before` by `after`. */
  readonly target?: WriteTarget | undefined;
}

export interface WriteTarget {
  /** The real path. */
  readonly file: string;
  /** The state in which the thread knows the file and may change it; absent: any. */
  readonly expect?: FileState | undefined;
}

export type EffectiveCall = Pick<Operation<never, never>, 'permission' | 'sideEffect'>;
