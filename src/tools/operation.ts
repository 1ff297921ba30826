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
  /** True for a call whose command keeps running after the thread: this needs a permission of its own, `keep`. */
  background?(args: Args): boolean;
  /** Returns the subjects that permission rules match: the command line, or each path. */
  subjects(args: Args, ctx: ToolContext): Promise<readonly Subject[]>;
  /** Two mutations with the same key never run at the same time; undefined: the call runs alone among all mutations. */
  serialKey?(args: Args, ctx: ToolContext): Promise<string>;
  /** Returns the files that a call would write, without writing them, for approval. Absent: unknown before the run. Throws the errors of `run`. */
  preview?(args: Args, ctx: ToolContext): Promise<readonly PlannedFile[]>;
  /**
   * Returns a key for everything that the result depends on, except state that calls change. As long as no call
   * changes anything, a call with the same key gets the same result. undefined or absent: every call runs. Only if
   * the side effect is `pure` or `read`.
   */
  cacheKey?(args: Args, ctx: ToolContext): string | undefined;
  /** Returns a promise of the result, or a generator that streams progress and returns the result. Throws FettleError on failure. */
  run(args: Args, ctx: ToolContext): AsyncGenerator<ToolStreamEvent, Result, undefined> | Promise<Result>;
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
