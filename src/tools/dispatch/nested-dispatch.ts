import {FettleError} from '../../base/errors.ts';
import {isReadOnly} from '../../protocol/side-effect.ts';
import type {DispatchResult, ToolCall} from './dispatch.ts';
import type {NestedCalls} from '../ports/nested-calls.ts';
import {translateCall} from '../compat/translate-call.ts';
import {resolveTool} from './resolve-tool.ts';
import type {Tool, Toolset} from '../toolset.ts';

export interface NestedDispatch {
  readonly toolset: Toolset;
  /** The call that makes the nested ones: permissions are asked for under its id. */
  readonly callId: string;
  /** Runs all stages of a call, without the listener: hosts see one call, the outer one. */
  dispatch(call: ToolCall, signal: AbortSignal): Promise<DispatchResult>;
}

/** Runs calls that a running call makes. Calls with effects outside are always refused: only the outer call was evaluated. */
export function nestedCalls({toolset, callId, dispatch}: NestedDispatch): NestedCalls {
  const find = async (name: string, input: unknown = {}): Promise<Tool | undefined> => {
    try {
      return (await resolveTool(toolset, translateCall(toolset, callOf(callId, name, input)).name)).tool;
    } catch {
      return undefined; // running it will report the unknown name
    }
  };
  return {
    find,
    async run(name, input, signal) {
      const {text, isError} = await dispatch(callOf(callId, name, input), signal);
      return {text, isError};
    },
  };
}

/** Throws DENIED for a tool that changes something. */
export function requireReadOnly({name, sideEffect}: Pick<Tool, 'name' | 'sideEffect'>): void {
  if (isReadOnly(sideEffect)) return;
  throw new FettleError({code: 'DENIED', message: `${name} cannot be called from inside another call: it is not read-only.`});
}

function callOf(id: string, name: string, input: unknown): ToolCall {
  return {id, name, arguments: JSON.stringify(input ?? {})};
}
