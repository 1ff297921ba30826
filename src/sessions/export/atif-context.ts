import type {JsonObject} from '../../base/json.ts';
import type {ThreadFrame} from '../../protocol/events.ts';
import type {AssistantMessage, Message, ToolMessage} from '../../protocol/messages.ts';
import {NO_RESULT} from '../history.ts';
import type {CallView, CompactionEntry} from './transcript.ts';

/** The tools of a trajectory as OpenAI function definitions, each name once in its last form; undefined if no log has them. */
export function toolDefinitions(frames: readonly ThreadFrame[]): JsonObject[] | undefined {
  if (frames.length === 0) return undefined;
  const byName = new Map(frames.flatMap(({tools}) => tools.map((tool) => [tool.name, tool] as const)));
  return [...byName.values()].map(({name, description, parameters}) => ({
    type: 'function',
    function: {name, description, parameters: parameters as JsonObject},
  }));
}

/** A step for a frame: the system prompt, or the changes of the tools; none if it equals the previous one. */
export function frameSteps({system, tools}: ThreadFrame, before: ThreadFrame | undefined): JsonObject[] {
  if (before === undefined) return system === '' ? [] : [{source: 'system', message: system, extra: {origin: 'system_prompt'}}];
  const known = new Set(before.tools.map(({name}) => name));
  const now = new Set(tools.map(({name}) => name));
  const [added, removed] = [[...now].filter((name) => !known.has(name)), [...known].filter((name) => !now.has(name))];
  const changed = added.length + removed.length > 0 ? {tools_added: added, tools_removed: removed} : {};
  if (system !== before.system) return [{source: 'system', message: system, extra: {origin: 'system_prompt', ...changed}}];
  if (added.length + removed.length === 0) return [];
  const words = [...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)].join(' ');
  return [{source: 'system', message: `The tools of the model changed: ${words}`, extra: {origin: 'tools', ...changed}}];
}

/** Makes the fields `tool_calls` and `observation` of a step. */
type CallFields = (calls: readonly CallView[]) => JsonObject;

/**
 * The conversation after a compaction, a step for each message: what was said before is marked as copied, so that it does not count twice;
 * what the harness wrote in its place is a step of the system.
 */
export function contextSteps({messages, written}: CompactionEntry, callFields: CallFields): JsonObject[] {
  const isWritten = new Set(written);
  return messages.flatMap((message, index) => {
    if (message.role === 'tool') return [];
    if (message.role === 'assistant') return [assistantStep(message, resultsBehind(messages, index), callFields)];
    return isWritten.has(message.text)
      ? [{source: 'system', message: message.text, extra: {origin: 'harness', context_management: {type: 'injection', boundary: 'append'}}}]
      : [{source: 'user', message: message.text, is_copied_context: true}];
  });
}

function resultsBehind(messages: readonly Message[], index: number): ToolMessage['results'] {
  const next = messages[index + 1];
  return next?.role === 'tool' ? next.results : [];
}

function assistantStep({parts}: AssistantMessage, results: ToolMessage['results'], callFields: CallFields): JsonObject {
  const message = parts.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : [])).join('\n\n');
  const calls = parts.flatMap((part, index): CallView[] => {
    if (part.type !== 'tool_call') return [];
    const names = {id: `copied-${index}`, tool_call_id: textOf(part.id), tool_name: textOf(part.name)};
    const call = {...names, type: 'tool_invocation' as const, arguments: textOf(part.arguments), status: 'completed' as const};
    const result = results.find(({callId}) => callId === part.id);
    if (result === undefined) return [{call, output: undefined, text: NO_RESULT, isError: true}];
    const {text, isError} = result;
    const shown = {id: `${call.id}:output`, call_id: call.id, output: text, is_error: isError, status: 'completed' as const};
    return [{call, output: {...names, ...shown, type: 'tool_output'}, text, isError}];
  });
  return {source: 'agent', message, is_copied_context: true, llm_call_count: 0, ...callFields(calls)};
}

/** A log may be forged: of the parts of its messages only the type was checked. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
