import type * as z from 'zod/mini';
import {FettleError} from '../base/errors.ts';
import type {JsonObject} from '../base/json.ts';
import {isReadOnly, type SideEffect} from '../protocol/side-effect.ts';
import type {ToolContext} from './context.ts';
import {definitionDigest} from './arguments/definition-digest.ts';
import type {Capability} from './ports/capability.ts';
import type {RunnableOperation} from './late-operation.ts';
import type {EffectiveCall, ResolvedOperation} from './operation.ts';
import type {ToolStreamEvent} from './stream-event.ts';

/** A table that publishes operations under names, parameters, limits and texts. Adding a toolset is adding a table. */
export interface Toolset {
  readonly name: string;
  /** The advertised tools, in this order. */
  readonly tools: readonly Tool[];
  /** Further tools that can be called but are not advertised: loaded when a call or a search asks for them. */
  readonly deferred?: () => Promise<readonly Tool[]>;
  /** Decides which tools of other toolsets may be called in place of its own; undefined: none. Restrict it with `restrictToolset`. */
  readonly accepts?: (tool: Tool) => boolean;
  /** Returns why an existing tool may not be called by this name; undefined: it may. */
  readonly refusal?: ((name: string) => string | undefined) | undefined;
  /** Words an error for the model. */
  renderError(error: FettleError, toolName: string): string;
  /** The upper bound of any result text. */
  readonly outputBound: OutputBound;
  /** False: reads that would need approval are allowed ("Read tools are never gated", microcode tools › side effects). A deny stays a deny. */
  readonly asksForReads: boolean;
}

export interface OutputBound {
  readonly maxBytes: number;
  readonly maxLines: number;
  /**
   * Shortens a longer text; `whole` is a sentence that names the place of the full text. Absent: the beginning and end are shown.
   */
  readonly shorten?: ((text: string, bound: OutputBound, whole: string) => string) | undefined;
}

/** Models to which a tool is advertised; a call runs for all of them. 'composite': those that handle composite tools well. */
export type Audience = 'everyone' | 'composite' | 'nobody';

/** One published tool; the types of its input and result are hidden behind `prepare`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input is generated from this. */
  readonly input: z.ZodMiniObject;
  /**
   * Only for a tool of another program: the JSON Schema of its input, published unchanged. That program checks the arguments; they are passed
   * unchanged, except for unambiguous type conversions, and `input` takes any object.
   */
  readonly foreignSchema?: JsonObject | undefined;
  /** Aliases of parameters, mapped to the published names. Accepted, never advertised. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Absent: everyone. */
  readonly audience?: Audience | undefined;
  /** Parameters that are accepted but not advertised: they have no effect yet. */
  readonly unlisted?: readonly string[] | undefined;
  /** The capability without which the tool is not advertised. */
  readonly requires?: Capability | undefined;
  readonly sideEffect: SideEffect;
  /** The permission family of its operation; rules may use it in place of the name. */
  readonly permission: string;
  /** 'inside': the real path of every file of a call must be in the workspace. Absent: a path may be outside, and the policy decides. */
  readonly pathScope?: 'inside' | undefined;
  /** Digest of its definition, if results may be cached: results are not shared with another definition. */
  readonly digest?: string | undefined;
  /** Validated input → a call that can be resolved. */
  prepare(input: unknown): PreparedCall;
}

export interface PreparedCall {
  /** Arguments of the operation, with defaults filled in: calls with equal arguments are equivalent. */
  readonly args: unknown;
  /** Permission and side effect of this call, if it does less than its tool may. */
  readonly effectiveCall?: EffectiveCall | undefined;
  /** See `Operation`. */
  readonly isLine?: true | undefined;
  /** True if it starts something that outlives the thread. */
  readonly background?: boolean | undefined;
  /** Resolved it has a `serialKey`. */
  readonly isKeyed?: boolean | undefined;
  /** Names the result among those of the tool: while nothing changes, a call with the same key may be given the same. See `Operation`. */
  cacheKey?(ctx: ToolContext): string | undefined;
  /** Finds out what it names: the one time that its paths are resolved. */
  resolve(ctx: ToolContext): Promise<ResolvedCall>;
}

/** A call that can be judged, shown and run, and does what it was judged for. */
export interface ResolvedCall extends Omit<ResolvedOperation<ToolReply>, 'run'> {
  run(ctx: ToolContext): AsyncGenerator<ToolStreamEvent, ToolReply, undefined>;
}

/** The result of a call. `text` is for the model, `summary` for people, `structured` for programs. */
export interface ToolReply {
  readonly text: string;
  readonly summary: string;
  readonly structured: unknown;
  readonly isError: boolean;
  /** True: `text` is JSON, and stays JSON when it is shortened or notes are added. */
  readonly isJson?: boolean | undefined;
  readonly changes: readonly FileChange[];
  /** Path of the full output, if `text` is shortened. */
  readonly spoolPath?: string | undefined;
  readonly command?: {readonly line: string; readonly exitCode: number | null} | undefined;
}

export interface FileChange {
  /** Absolute. */
  readonly path: string;
  readonly kind: 'add' | 'delete' | 'update';
}

export interface ToolDefinition<Shape extends z.core.$ZodShape, Args, Result> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodMiniObject<Shape>;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly audience?: Audience;
  readonly unlisted?: readonly string[];
  readonly requires?: Capability;
  readonly pathScope?: 'inside';
  readonly operation: RunnableOperation<Args, Result>;
  /** Published parameters → arguments of the operation: defaults and caps of this toolset are applied here. */
  toArgs(input: z.output<z.ZodMiniObject<Shape>>): Args;
  render(result: Result, input: z.output<z.ZodMiniObject<Shape>>): Partial<ToolReply> & {readonly text: string; readonly summary: string};
}

/** Ties a name, a schema and texts to an operation: the only place where all types of a tool are known. Throws CONFIG for a mistake. */
export function defineTool<Shape extends z.core.$ZodShape, Args, Result>(definition: ToolDefinition<Shape, Args, Result>): Tool {
  const {operation} = definition;
  const caching = cachingProblem(operation);
  if (caching !== undefined) {
    const hint = 'Leave `cacheKey` out, or declare the side effect `read` or `pure` if the tool changes nothing.';
    throw new FettleError({code: 'CONFIG', message: `${definition.name}: ${caching}`, hint});
  }
  return {
    name: definition.name,
    description: definition.description,
    input: definition.input,
    aliases: definition.aliases ?? {},
    audience: definition.audience,
    unlisted: definition.unlisted,
    requires: definition.requires,
    sideEffect: operation.sideEffect,
    permission: operation.permission,
    pathScope: definition.pathScope,
    ...(operation.cacheKey === undefined ? {} : {digest: digestOf(definition)}),
    prepare(validated) {
      const input = validated as z.output<z.ZodMiniObject<Shape>>;
      const args = definition.toArgs(input);
      return {
        args,
        effectiveCall: operation.effectiveCall?.(args),
        isLine: operation.isLine,
        background: operation.background?.(args),
        isKeyed: operation.isKeyed,
        ...(operation.cacheKey === undefined ? {} : {cacheKey: (ctx: ToolContext) => operation.cacheKey?.(args, ctx)}),
        async resolve(resolving) {
          const resolved = await operation.resolve(args, resolving);
          return {
            ...resolved,
            async *run(ctx) {
              const running = resolved.run(ctx);
              const result = Symbol.asyncIterator in running ? yield* running : await running;
              const reply = definition.render(result, input);
              return {structured: result, isError: false, changes: [], ...reply};
            },
          };
        },
      };
    },
  };
}

function digestOf<Shape extends z.core.$ZodShape, Args, Result>(definition: ToolDefinition<Shape, Args, Result>): string {
  const {description, input, operation, toArgs, render} = definition;
  return definitionDigest(input, [
    description,
    operation.id,
    'run' in operation ? operation.run : operation.resolve,
    operation.cacheKey,
    toArgs,
    render,
  ]);
}

/** Returns why results of a tool may not be cached although it names keys for them; undefined: they may be cached, or the tool names no keys. */
export function cachingProblem({sideEffect, cacheKey}: {readonly sideEffect: SideEffect; readonly cacheKey?: unknown}): string | undefined {
  if (cacheKey === undefined) return undefined;
  if (typeof cacheKey !== 'function') return 'cacheKey must be a function';
  return isReadOnly(sideEffect) ? undefined : `cacheKey is for tools that change nothing, and the side effect is ${sideEffect}`;
}
