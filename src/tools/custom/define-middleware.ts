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
   * Runs before the permission is decided, in the order of the files. It may deny the call, rewrite its input, ask
   * for a person, or add text for the model. If it throws, takes too long, or returns an invalid answer, the call
   * is denied.
   */
  before?(call: HookCall, ctx: MiddlewareContext): PreToolAnswer | Promise<PreToolAnswer>;
  /** Runs after a successful call, in reverse order. It may change the text, or add to it. If it throws, the result gets a note. */
  after?(call: HookCall, result: FinishedResult, ctx: MiddlewareContext): PostToolAnswer | Promise<PostToolAnswer>;
  /** The same for a call that ran and failed. */
  onError?(call: HookCall, result: FinishedResult, ctx: MiddlewareContext): PostToolAnswer | Promise<PostToolAnswer>;
}

export interface MiddlewareContext {
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal;
  /** The working folder, absolute. */
  readonly cwd: string;
}

/** Marks code as middleware; the file that exports it is all that is needed. */
export function defineMiddleware(middleware: Middleware): Middleware {
  return {...middleware, [BRAND]: true} as Middleware;
}

/** Returns true for a result of {@link defineMiddleware}, also from another copy of this package. */
export function isMiddleware(value: unknown): value is Middleware {
  return typeof value === 'object' && value !== null && BRAND in value;
}

const BRAND = Symbol.for('fettle.middleware');
