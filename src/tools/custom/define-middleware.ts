import type {FinishedResult, HookCall, PostToolAnswer, PreToolAnswer} from '../dispatch/dispatch.ts';

/** Code of an author around calls of tools (vtcode architecture › hooks / middleware). */
export interface Middleware {
  /** Absent: the name of the file. */
  readonly name?: string;
  /** Names of tools, or of their permission families (`bash`, `edit`, …); absent: all. */
  readonly tools?: readonly string[];
  /** Milliseconds that each of its functions may take; 10 000 by default. */
  readonly timeoutMs?: number;
  /**
   * Before the permission is decided, in the order of the files. May deny the call, rewrite its input, ask for a person, or add something
   * for the model. What throws, takes too long, or answers something else, denies.
   */
  before?(call: HookCall, ctx: MiddlewareContext): PreToolAnswer | Promise<PreToolAnswer>;
  /** When the call has worked, in reverse order: may change the text, or add to it. What throws leaves a note. */
  after?(call: HookCall, result: FinishedResult, ctx: MiddlewareContext): PostToolAnswer | Promise<PostToolAnswer>;
  /** The same, when it ran and failed. */
  onError?(call: HookCall, result: FinishedResult, ctx: MiddlewareContext): PostToolAnswer | Promise<PostToolAnswer>;
}

export interface MiddlewareContext {
  /** Ends when the call is cancelled. */
  readonly signal: AbortSignal;
  /** The folder that is worked in, absolute. */
  readonly cwd: string;
}

/** Marks code as middleware; the file that exports it is all that is needed. */
export function defineMiddleware(middleware: Middleware): Middleware {
  return {...middleware, [BRAND]: true} as Middleware;
}

/** True for what {@link defineMiddleware} made, also in another copy of this package. */
export function isMiddleware(value: unknown): value is Middleware {
  return typeof value === 'object' && value !== null && BRAND in value;
}

const BRAND = Symbol.for('fettle.middleware');
