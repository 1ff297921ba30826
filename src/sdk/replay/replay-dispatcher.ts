import {toFettleError} from '../../base/errors.ts';
import type {RecordedCall} from '../../sessions/replay/recorded-turns.ts';
import {replacePath} from '../../sessions/replay/normalize-replayed-text.ts';
import type {Dispatcher, DispatchListener, DispatchResult, ToolCall} from '../../tools/dispatch/dispatch.ts';
import {resolveTool} from '../../tools/dispatch/resolve-tool.ts';
import type {Tool, Toolset} from '../../tools/toolset.ts';

export interface ReplayDispatcherOptions {
  readonly inner: Dispatcher;
  readonly listener: DispatchListener;
  readonly toolset: Toolset;
  /** The calls of the recorded reply that is answered now. */
  readonly recorded: () => readonly RecordedCall[];
  readonly runsCommands: boolean;
  /** The recorded folder, and its copy. */
  readonly folder: {readonly from: string; readonly to: string};
  readonly onRun: (call: RecordedCall, result: DispatchResult) => void;
  readonly onSkip: (call: RecordedCall, why: string) => void;
}

/** Runs recorded calls again in the copy. Calls that must not or cannot be run get their recorded results. */
export function createReplayDispatcher(options: ReplayDispatcherOptions): Dispatcher {
  const {inner, listener, recorded, folder, onRun, onSkip} = options;

  const dispatchAll: Dispatcher['dispatchAll'] = async (calls, signal) => {
    const pairs = await Promise.all(calls.map(async (call, index) => planned(options, call, recorded()[index])));
    const toRun = pairs.filter(({why}) => why === undefined).map(({call}) => ({...call, arguments: moved(call.arguments, folder)}));
    const results = new Map((await inner.dispatchAll(toRun, signal)).map((result) => [result.callId, result]));
    return pairs.map(({call, record, why}) => {
      const result = results.get(call.id);
      if (result !== undefined && why === undefined) {
        if (record !== undefined && !signal.aborted) onRun(record, result);
        return result;
      }
      const known = recordedResult(call, record);
      if (record !== undefined) onSkip(record, why ?? '');
      listener.onResult?.(known);
      return known;
    });
  };

  return {
    dispatchAll,
    async dispatch(call, signal) {
      const [result] = await dispatchAll([call], signal);
      return result ?? recordedResult(call, undefined);
    },
  };
}

interface Planned {
  readonly call: ToolCall;
  readonly record: RecordedCall | undefined;
  /** The reason why a call is not run; undefined if it is. */
  readonly why: string | undefined;
}

async function planned(options: ReplayDispatcherOptions, call: ToolCall, record: RecordedCall | undefined): Promise<Planned> {
  return {call, record, why: record === undefined ? undefined : await whyNotRun(options, call, record)};
}

async function whyNotRun(
  {toolset, runsCommands}: ReplayDispatcherOptions,
  call: ToolCall,
  record: RecordedCall,
): Promise<string | undefined> {
  if (record.outcome === undefined) return 'was cut off';
  if (record.outcome === 'denied' || record.outcome === 'cancelled') return `was ${record.outcome}`;
  if (call.name.startsWith('mcp__')) return 'acts outside of the copy';
  try {
    const {tool} = await resolveTool(toolset, call.name);
    return whyNotTool(tool, runsCommands);
  } catch (error) {
    // An unknown name is refused again in the same way.
    return record.outcome === 'invalid' ? undefined : `is not here: ${toFettleError(error).message}`;
  }
}

function whyNotTool({sideEffect, permission, name}: Tool, runsCommands: boolean): string | undefined {
  if (sideEffect === 'network') return 'asks the network';
  if (sideEffect === 'interact') return 'asked a person';
  if (sideEffect === 'execute' && !runsCommands) return 'would run a command';
  return ELSEWHERE[permission] ?? ELSEWHERE[name];
}

/** Operations that are not replayed in the copy, by permission or name of a tool. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  task: 'is about a subagent',
  merge_agent: 'is about a subagent',
  recall: 'reads the log of the session',
  skill: 'reads a skill',
};

function recordedResult(call: ToolCall, record: RecordedCall | undefined): DispatchResult {
  return {
    callId: call.id,
    toolName: record?.name ?? call.name,
    sideEffect: 'pure',
    outcome: record?.outcome ?? 'cancelled',
    text: record?.output ?? 'No result was recorded.',
    summary: 'recorded',
    structured: undefined,
    isError: record?.isError ?? true,
    changes: [],
    repairs: [],
    notes: [],
    durationMs: 0,
  };
}

/** Translates a path of the recorded folder into the copy. */
function moved(argumentsText: string, {from, to}: {from: string; to: string}): string {
  return replacePath(argumentsText, JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1));
}
