import type {JsonObject} from '../../../base/json.ts';
import type {ThreadItem, UserMessageItem} from '../../../protocol/items.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface TextState {
  readonly id: string;
  readonly type: 'agent_message' | 'reasoning';
  readonly text: string;
  readonly status: ItemStatus;
  readonly phase?: 'commentary' | 'final_answer' | undefined;
}

/** A message or a reasoning item; without text it has no content part. */
export function textItem({id, type, text, status, phase}: TextState): JsonObject {
  const content = text === '' ? [] : [textPart(type, text)];
  if (type === 'reasoning') return {type: 'reasoning', id, status, summary: [], content};
  return {type: 'message', id, status, role: 'assistant', content, ...(phase === undefined ? {} : {phase})};
}

export function textPart(type: TextState['type'], text: string): JsonObject {
  return type === 'reasoning' ? {type: 'reasoning_text', text} : {type: 'output_text', text, annotations: [], logprobs: []};
}

/** Returns a message of the harness as a developer's message. */
export function inputItem({id, text, origin}: UserMessageItem): JsonObject {
  const role = origin === 'harness' ? 'developer' : 'user';
  return {type: 'message', id, status: 'completed', role, content: [{type: 'input_text', text}]};
}

export interface CallState {
  readonly id: string;
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
}

export function callItem({id, callId, name, arguments: json}: CallState, status: ItemStatus): JsonObject {
  return {type: 'function_call', id, call_id: callId, name, arguments: json, status};
}

export function callOutputItem(id: string, callId: string, output: string): JsonObject {
  return {type: 'function_call_output', id, call_id: callId, output, status: 'completed'};
}

export type OwnItem = Exclude<ThreadItem, {type: 'user_message' | 'agent_message' | 'reasoning' | 'tool_invocation' | 'tool_output'}>;

/** True for items that the specification has no form for. */
export function isOwn(item: ThreadItem): item is OwnItem {
  return OWN.has(item.type);
}

/** An item of our own, under our prefix. */
export function ownItem(item: OwnItem): JsonObject {
  const {request_id: _request, ...fields} = item;
  return {...(fields as unknown as JsonObject), type: `fettle:${item.type}`, status: 'completed'};
}

const OWN: ReadonlySet<string> = new Set<OwnItem['type']>([
  'plan',
  'command_execution',
  'file_change',
  'mcp_tool_call',
  'web_search',
  'harness',
  'todo_list',
  'editor_action',
  'error',
]);
