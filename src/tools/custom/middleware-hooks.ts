import {FettleError} from '../../base/errors.ts';
import {otherNamesOf} from '../../policy/rules/tool-families.ts';
import type {DispatcherOptions, HookCall, PostToolAnswer, PostToolHook, PreToolAnswer, PreToolHook} from '../dispatch/dispatch.ts';
import type {Middleware} from './define-middleware.ts';
import {createStallTimeout} from './stall-timeout.ts';

/** Turns middleware into hooks of the dispatcher; the first is the outermost. Whatever an author's code does, it ends within its time limit. */
export function middlewareHooks(middleware: readonly Middleware[], cwd: string): Pick<DispatcherOptions, 'preHooks' | 'postHooks'> {
  return {
    preHooks: middleware.flatMap((one) => (one.before === undefined ? [] : [preHook(one, cwd)])),
    postHooks: middleware.toReversed().flatMap((one) => (one.after === undefined && one.onError === undefined ? [] : [postHook(one, cwd)])),
  };
}

const DEFAULT_MS = 10_000;

function preHook(one: Middleware, cwd: string): PreToolHook {
  return async (call, signal) => {
    if (!isFor(one, call)) return undefined;
    return preAnswer(await bounded(one, signal, () => one.before?.(call, {signal, cwd})));
  };
}

function postHook(one: Middleware, cwd: string): PostToolHook {
  return async (call, result, signal) => {
    if (!isFor(one, call)) return undefined;
    const act = result.isError ? one.onError : one.after;
    return act === undefined ? undefined : postAnswer(await bounded(one, signal, () => act.call(one, call, result, {signal, cwd})));
  };
}

function isFor({tools}: Middleware, {toolName, permission}: HookCall): boolean {
  if (tools === undefined || tools.includes(toolName) || tools.includes(permission)) return true;
  return otherNamesOf(toolName, permission).some((name) => tools.includes(name));
}

async function bounded({name, timeoutMs = DEFAULT_MS}: Middleware, signal: AbortSignal, act: () => unknown): Promise<unknown> {
  const stall = createStallTimeout(timeoutMs, signal);
  try {
    return await stall.orLost(Promise.resolve().then(act));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new FettleError({code: 'UNAVAILABLE', message: `${name ?? 'middleware'}: ${message}`, cause: error});
  } finally {
    stall.end();
  }
}

/** Validates the answer of author code, which may not have the declared type: an invalid answer is an error, and so a denial. */
function preAnswer(value: unknown): PreToolAnswer {
  if (value === undefined || value === null) return undefined;
  const {deny, permission, reason, context, ...rest} = fieldsOf(value);
  if (deny !== undefined) return {deny: typeof deny === 'string' && deny !== '' ? deny : 'no reason'};
  if (permission !== undefined && permission !== 'ask' && permission !== 'allow')
    throw notUnderstood(`permission ${JSON.stringify(permission)}`);
  refuseOthers(rest, ['input']);
  return {input: rest['input'], permission, reason: textOf(reason, 'reason'), context: textOf(context, 'context')};
}

function postAnswer(value: unknown): PostToolAnswer {
  if (value === undefined || value === null) return undefined;
  const {text, context, ...rest} = fieldsOf(value);
  refuseOthers(rest, []);
  return {text: textOf(text, 'text'), context: textOf(context, 'context')};
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || Array.isArray(value)) throw notUnderstood(`an answer ${JSON.stringify(value)}`);
  return {...value};
}

function refuseOthers(rest: object, known: readonly string[]): void {
  const other = Object.keys(rest).find((key) => !known.includes(key));
  if (other !== undefined) throw notUnderstood(`a field ${other}`);
}

function textOf(value: unknown, field: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw notUnderstood(`a ${field} that is not text`);
}

function notUnderstood(what: string): FettleError {
  return new FettleError({code: 'BAD_ARGS', message: `it returned ${what}, which is not understood`});
}
