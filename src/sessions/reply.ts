import {parseJson} from '../base/json.ts';
import type {AgentMessageItem, ReasoningItem, ThreadItem, ToolInvocationItem, ToolOutputItem} from '../protocol/items.ts';

/** The record of one model reply in a log: its items in order of appearance, and the outputs of its calls. */
export interface Reply {
  readonly requestId: string;
  readonly items: Map<string, {readonly item: ReplyItem; readonly finished: boolean}>;
  readonly outputs: Map<string, ToolOutputItem>;
  /** The subagent that a call waits for, by the provider's id of the call. */
  readonly tasks: Map<string, string>;
}

export type ReplyItem = AgentMessageItem | ReasoningItem | ToolInvocationItem;

export function newReply(requestId: string): Reply {
  return {requestId, items: new Map(), outputs: new Map(), tasks: new Map()};
}

/** True for the parts of a model reply; the same items without `request_id` did not come from a model. */
export function isReplyItem(item: ThreadItem): item is ReplyItem & {request_id: string} {
  const partOfReply = item.type === 'agent_message' || item.type === 'reasoning' || item.type === 'tool_invocation';
  return partOfReply && item.request_id !== undefined;
}

/**
 * The parts of a reply are finished in their order, but a call is finished only when it was run: a call has the place where it was started,
 * text and reasoning the place where they were finished. Reasoning that shows nothing is never started.
 */
export function addItem(reply: Reply, item: ReplyItem, finished: boolean): void {
  if (!finished && reply.items.has(item.id)) return;
  if (item.type !== 'tool_invocation') reply.items.delete(item.id);
  reply.items.set(item.id, {item, finished});
}

/** Takes an output if one of the calls of this reply waits for it. */
export function addOutput(reply: Reply, output: ToolOutputItem): boolean {
  const key = callIdOf(reply, output);
  if (key === undefined) return false;
  reply.outputs.set(key, output);
  return true;
}

/**
 * Returns the known items of a reply, in order. Text and reasoning count once finished. A call counts as soon as it was started with
 * complete arguments: it may have had effects.
 */
export function knownItems(reply: Reply): readonly ReplyItem[] {
  const items: ReplyItem[] = [];
  for (const {item, finished} of reply.items.values()) {
    if (finished ? !isEmpty(item) : item.type === 'tool_invocation' && parseJson(item.arguments) !== undefined) items.push(item);
  }
  return items;
}

/** Returns the items that may be sent to a model again: no trailing reasoning, which providers refuse without the output that followed it. */
export function sendableItems(reply: Reply): readonly ReplyItem[] {
  const items = knownItems(reply);
  return items.slice(0, items.findLastIndex((item) => item.type !== 'reasoning') + 1);
}

export function callsOf(items: readonly ReplyItem[]): readonly ToolInvocationItem[] {
  return items.filter((item) => item.type === 'tool_invocation');
}

function isEmpty(item: ReplyItem): boolean {
  return item.type !== 'tool_invocation' && item.text === '' && item.native === undefined;
}

/** The id of the invocation that an output belongs to; the ids of providers are asked second, they may come twice. */
function callIdOf(reply: Reply, output: ToolOutputItem): string | undefined {
  if (reply.items.has(output.call_id)) return output.call_id;
  for (const {item} of reply.items.values()) {
    const waits = item.type === 'tool_invocation' && !reply.outputs.has(item.id);
    if (waits && item.tool_call_id === output.tool_call_id) return item.id;
  }
  return undefined;
}
