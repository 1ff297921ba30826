import type * as z from 'zod/mini';
import type {SideEffect} from '../../protocol/side-effect.ts';
import type {ToolContext} from '../context.ts';
import type {ToolOutput} from '../stream-event.ts';

/** A schema of zod or zod/mini. */
export type AnySchema<Value = unknown> = z.core.$ZodType<Value>;
type NoSchema = z.core.$ZodType<Readonly<Record<string, never>>>;

/** A tool as its author defines it (vibe tool system › Creating Custom Tools): four schemas, and a function to run. */
export interface CustomToolDefinition<Args extends AnySchema, Result extends AnySchema, Config extends AnySchema, State extends AnySchema> {
  /** Absent: the name of the file, in snake_case. */
  readonly name?: string;
  /** Description for the model, besides `prompts/<name>.md`. */
  readonly description: string;
  /** An object: the parameters of a call. */
  readonly args: Args;
  readonly result: Result;
  /** Options of `[tools.<name>]`; each needs a default. */
  readonly config?: Config;
  /** State shared by the calls of a thread; each field needs a default. A tool with state runs one call at a time. */
  readonly state?: State;
  readonly sideEffect: SideEffect;
  /** True: the tool may replace a built-in tool of the same name. */
  readonly override?: boolean;
  /** Milliseconds without progress (an event, the result) after which a call is abandoned; 120 000 by default. */
  readonly timeoutMs?: number;
  /**
   * Returns a key for everything that the result depends on, except state that calls change. As long as no call
   * changes anything, a call with the same key gets the same result without a run. undefined: the call runs. Only
   * for a tool that is `pure` or `read` and has no state.
   */
  cacheKey?(args: z.core.output<Args>, ctx: CacheKeyContext<z.core.output<Config>>): string | undefined;
  /** Throws on failure; the message is for the model. A generator yields progress and returns the result. */
  run(
    args: z.core.output<Args>,
    ctx: CustomToolContext<z.core.output<Config>, z.core.output<State>>,
  ): AsyncGenerator<Progress, z.core.input<Result>, undefined> | Promise<z.core.input<Result>>;
  /** Renders the result as text for the model; absent: a line `field: value` for each field of the result. */
  render?(result: z.core.output<Result>, args: z.core.output<Args>): string;
  /** Texts for people. */
  readonly display?: {
    /** Describes a call, on one line. */
    readonly call?: (args: z.core.output<Args>) => string;
    /** Describes the result, on one line. */
    readonly result?: (result: z.core.output<Result>) => string;
    /** Status while the tool runs: "Counting words". */
    readonly status?: string;
  };
  /** The files and commands on which permission rules decide before the call runs; absent: they decide on the tool alone. */
  permissionSubjects?(args: z.core.output<Args>, config: z.core.output<Config>): readonly CustomSubject[];
}

/** A line of progress, or a piece of output. Hosts show it, the model never sees it. */
export type Progress = string | ToolOutput;

export type CustomSubject = {readonly command: string} | {readonly path: string; readonly write?: boolean};

export interface CustomToolContext<Config, State> extends Omit<ToolContext, 'permit'> {
  readonly config: Config;
  /** State of this thread; change its fields in place. */
  readonly state: State;
  /** Reports progress from a function that is not a generator. */
  emit(progress: Progress): void;
  /** Asks for permissions that were not known to be needed before the call ran. Throws DENIED if they are not given. */
  permit(...subjects: readonly CustomSubject[]): Promise<void>;
}

export interface CacheKeyContext<Config> extends Pick<ToolContext, 'workspace'> {
  readonly config: Config;
}

/** A custom tool with its types erased. */
export type CustomTool = CustomToolDefinition<AnySchema, AnySchema, AnySchema, AnySchema>;

/** Marks a definition as a tool; the file that exports it is all that is needed. */
export function defineCustomTool<
  Args extends AnySchema,
  Result extends AnySchema,
  Config extends AnySchema = NoSchema,
  State extends AnySchema = NoSchema,
>(definition: CustomToolDefinition<Args, Result, Config, State>): CustomTool {
  return {...definition, [BRAND]: true} as unknown as CustomTool;
}

/** Returns true for a result of {@link defineCustomTool}, also from another copy of this package. */
export function isCustomTool(value: unknown): value is CustomTool {
  return typeof value === 'object' && value !== null && BRAND in value;
}

const BRAND = Symbol.for('fettle.custom-tool');
