import {FettleError, toFettleError} from '../../base/errors.ts';
import {parseArguments} from '../arguments/parse-arguments.ts';
import type {DispatcherOptions, HookCall, HookedCall, ToolCall} from './dispatch.ts';
import {translateCall} from '../compat/translate-call.ts';
import {comparableCall} from './repetition/comparable-call.ts';
import {resolveTool} from './resolve-tool.ts';
import type {PreparedCall, Tool, Toolset} from '../toolset.ts';

/** A call whose tool and arguments are understood, or the error in them. */
export type AdmittedCall = AcceptedCall | RejectedCall;

export interface AcceptedCall {
  readonly ok: true;
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: unknown;
  /** Absent: the arguments do not fit after all; running the call will say so. */
  readonly prepared: PreparedCall | undefined;
  readonly repairs: readonly string[];
  readonly warnings: readonly string[];
  /** Equal for calls of the same tool with equivalent arguments, in whatever form paths and commands were written. */
  readonly key: string;
  /** Answers of hooks to the call. */
  readonly hooked?: Hooked | undefined;
}

export interface Hooked extends Pick<HookedCall, 'permission' | 'reason'> {
  /** Texts of hooks for the model, after the result. */
  readonly contexts: readonly string[];
}

export interface RejectedCall {
  readonly ok: false;
  readonly call: ToolCall;
  readonly tool: Tool | undefined;
  readonly error: FettleError;
  readonly key: string;
}

/** Resolves the name, repairs and validates the arguments. `root` is the workspace: paths below it can be written in several ways. */
export async function admitCall(toolset: Toolset, received: ToolCall, root = '/'): Promise<AdmittedCall> {
  const call = translateCall(toolset, received);
  const key = `${call.name}\n${call.arguments}`;
  let tool: Tool | undefined;
  try {
    const resolved = await resolveTool(toolset, call.name);
    tool = resolved.tool;
    const parsed = parseArguments(tool, call.arguments);
    const warnings = resolved.note === undefined ? parsed.warnings : [...parsed.warnings, resolved.note];
    return {ok: true, call, tool, ...parsed, warnings, ...prepare(tool, parsed.input, root)};
  } catch (error) {
    return {ok: false, call, tool, error: toFettleError(error), key};
  }
}

type HookOptions = Pick<DispatcherOptions, 'preHooks' | 'listener' | 'context'>;

/** Lets each hook deny the call or rewrite its input. Throws DENIED; a hook that fails denies, too. */
export async function applyPreHooks(
  {preHooks, listener, context}: HookOptions,
  accepted: AcceptedCall,
  signal: AbortSignal,
): Promise<AcceptedCall> {
  let current = accepted;
  for (const hook of preHooks ?? []) {
    const answer = await Promise.resolve()
      .then(() => hook(hookCall(current), signal))
      .catch((error: unknown) => {
        if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled before it was run.'});
        return {deny: `it failed: ${toFettleError(error).message}`};
      });
    if (answer === undefined) continue;
    if ('deny' in answer) {
      listener?.onPermissionResolved?.({
        callId: current.call.id,
        toolName: current.tool.name,
        decision: 'deny',
        decidedBy: 'hook',
        waitMs: 0,
      });
      throw new FettleError({code: 'DENIED', message: `Denied by a hook: ${answer.deny}`, hint: 'Find another way, or say what you need.'});
    }
    current = rewritten({...current, hooked: added(current.hooked, answer)}, answer, context.workspace.root);
  }
  return current;
}

function rewritten(current: AcceptedCall, answer: HookedCall, root: string): AcceptedCall {
  if (answer.input === undefined) return current;
  const {input} = parseArguments(current.tool, JSON.stringify(answer.input));
  return {...current, input, ...prepare(current.tool, input, root)};
}

/** Merges the answers of hooks: `ask` wins over `allow`. */
function added(before: Hooked = {contexts: []}, {permission, reason, context}: HookedCall): Hooked {
  const contexts = context === undefined ? before.contexts : [...before.contexts, context];
  return permission === undefined || before.permission === 'ask' ? {...before, contexts} : {permission, reason, contexts};
}

export function hookCall({call, tool, input}: AcceptedCall): HookCall {
  const {name: toolName, permission, sideEffect, aliases} = tool;
  return {callId: call.id, toolName, permission, aliases, sideEffect, input};
}

function prepare(tool: Tool, input: unknown, root: string): Pick<AcceptedCall, 'prepared' | 'key'> {
  const prepared = preparedOrNot(tool, input);
  return {prepared, key: comparableCall(tool.name, prepared === undefined ? input : prepared.args, root)};
}

function preparedOrNot(tool: Tool, input: unknown): PreparedCall | undefined {
  try {
    return tool.prepare(input);
  } catch {
    return undefined;
  }
}
