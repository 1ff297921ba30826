import type {ThreadEvent} from '../protocol/events.ts';
import type {ThreadItem, ToolInvocationItem, ToolOutputItem} from '../protocol/items.ts';
import type {AssistantPart, Message, NativePart, ToolResultPart, UserMessage} from '../protocol/messages.ts';
import {addItem, addOutput, callsOf, sendableItems, newReply, isReplyItem, type Reply, type ReplyItem} from './reply.ts';
import {NOTHING_EARLIER, createCompletedMessages, type EarlierHistory} from './completed-messages.ts';

/** The conversation as a model sees it, kept up to date event by event. */
export interface History {
  apply(event: ThreadEvent): void;
  /** All messages up to now. Messages of earlier replies stay the same objects from call to call. */
  messages(): readonly Message[];
  /** The newest of them: all, or, of a very long log, those that were read so far. */
  newest(): readonly Message[];
  /** True if there are others than these. */
  hasUnread(): boolean;
  /** The number of messages; an estimate for those that were not read. */
  count(): number;
  /** True if the conversation can be rewound to this turn or rewinding: not beyond the compaction before the last one. */
  reaches(id: string): boolean;
  /** The number of finished items, which is the number of the newest one. */
  items(): number;
}

/** Placeholder for the result of a call that was cut off. */
export const NO_RESULT = 'No result: the run was interrupted before this call finished.';

/** The same, where the call waited for a subagent: its log is there, and it can go on (vtcode architecture › delegation: resume). */
function noReport(agentId: string): string {
  return `${NO_RESULT} Its subagent ${agentId} was cut off with it: agents {"action": "resume", "agent": "${agentId}"} lets it go on.`;
}

export function historyFromEvents(events: Iterable<ThreadEvent>): readonly Message[] {
  const history = createHistory();
  for (const event of events) history.apply(event);
  return history.messages();
}

/**
 * Items that share a `request_id` become one assistant message, the outputs of its calls one tool message after it, in the order of the calls;
 * a user message that arrived while calls ran follows their results. Every call has a result, so that a conversation that was cut off anywhere
 * can continue. A compaction with messages replaces everything before it; a rewind removes everything since the beginning of a turn, and can
 * itself be rewound.
 */
export function createHistory(earlier: EarlierHistory = NOTHING_EARLIER): History {
  const numbers = new WeakMap<ToolOutputItem, number>();
  const completed = createCompletedMessages(earlier);
  let finishedItems = earlier.items;
  let reply: Reply | undefined;
  let behindReply: UserMessage[] = [];
  let open: readonly Message[] | undefined;

  const openMessages = (): readonly Message[] => (open ??= [...messagesOf(reply, numbers), ...behindReply]);

  const completePending = (): void => {
    completed.add(openMessages());
    reply = undefined;
    behindReply = [];
    open = undefined;
  };

  const take = (item: ThreadItem, finished: boolean): void => {
    if (finished) finishedItems += 1;
    if (item.type === 'tool_output') numbers.set(item, finishedItems);
    if (isReplyItem(item)) {
      if (reply?.requestId !== item.request_id) {
        completePending();
        reply = newReply(item.request_id);
      }
      addItem(reply, item, finished);
    } else if (finished && item.type === 'user_message') behindReply.push({role: 'user', text: item.text});
    else if (!finished || item.type !== 'tool_output' || reply === undefined || !addOutput(reply, item)) return;
    open = undefined;
  };

  return {
    apply(event) {
      if (event.type === 'item.started') take(event.item, false);
      else if (event.type === 'item.completed') take(event.item, true);
      else if (event.type === 'thread.compact_boundary' && event.messages !== undefined) {
        completePending();
        completed.replace(event.messages as readonly unknown[] as readonly Message[]);
      } else if (event.type === 'turn.started') {
        completePending();
        completed.mark(event.turn_id);
      } else if (event.type === 'thread.rewound') {
        completePending();
        completed.mark(event.checkpoint_id);
        completed.rewind(event.to);
      } else if (event.type === 'agent.status' && event.role === 'task' && event.tool_call_id !== undefined) {
        reply?.tasks.set(event.tool_call_id, event.agent_id);
        open = undefined;
      }
    },
    messages: () => [...completed.all(), ...openMessages()],
    newest: () => [...completed.newest(), ...openMessages()],
    hasUnread: completed.hasUnread,
    count: () => completed.count() + openMessages().length,
    items: () => finishedItems,
    reaches: completed.reaches,
  };
}

type Numbers = WeakMap<ToolOutputItem, number>;

function messagesOf(reply: Reply | undefined, numbers: Numbers): readonly Message[] {
  const items = reply === undefined ? [] : sendableItems(reply);
  if (reply === undefined || items.length === 0) return [];
  const results = callsOf(items).map((call) => resultOf(reply, call, numbers));
  const assistant: Message = {role: 'assistant', parts: items.map(partOf)};
  return results.length === 0 ? [assistant] : [assistant, {role: 'tool', results}];
}

function partOf(item: ReplyItem): AssistantPart {
  const native = item.native === undefined ? {} : {native: item.native as NativePart};
  if (item.type === 'tool_invocation') {
    return {type: 'tool_call', id: item.tool_call_id, name: item.tool_name, arguments: item.arguments, ...native};
  }
  return {type: item.type === 'reasoning' ? 'reasoning' : 'text', text: item.text, ...native};
}

function resultOf(reply: Reply, call: ToolInvocationItem, numbers: Numbers): ToolResultPart {
  const output = reply.outputs.get(call.id);
  const base = {callId: call.tool_call_id, name: call.tool_name};
  const task = reply.tasks.get(call.tool_call_id);
  if (output === undefined) return {...base, text: task === undefined ? NO_RESULT : noReport(task), isError: true};
  return {...base, text: output.output, isError: output.is_error, item: numbers.get(output)};
}
