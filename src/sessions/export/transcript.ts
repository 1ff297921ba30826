import type {CompactBoundary, ThreadCompleted, ThreadFrame, ThreadStarted, TurnCompleted, TurnFailed} from '../../protocol/events.ts';
import type {RequestCompleted, RequestFailed} from '../../protocol/request-events.ts';
import type {ThreadItem, ToolInvocationItem, ToolOutputItem} from '../../protocol/items.ts';
import type {Message} from '../../protocol/messages.ts';
import {NO_RESULT} from '../history.ts';
import type {LoggedEvent} from '../log-line.ts';
import {createTimeline} from './timeline.ts';
import {addItem, addOutput, callsOf, isReplyItem, knownItems, newReply, type Reply} from '../reply.ts';
import {createTotals, type SessionTotals} from '../session-totals.ts';

/** A session for people and other formats: messages and actions, in order. */
export interface Transcript {
  readonly started: ThreadStarted | undefined;
  readonly startedAt: string | undefined;
  readonly entries: readonly TranscriptEntry[];
  readonly totals: SessionTotals;
  /** True if the work was verified when the last run ended; undefined: no run has ended. */
  readonly verified: ThreadCompleted['verified'];
}

export type TranscriptEntry =
  | FrameEntry
  | TranscriptUserEntry
  | ReplyEntry
  | CompactionEntry
  | RewindEntry
  | NoteEntry
  | TurnEntry
  | TurnEndEntry;

interface Timed {
  readonly ts: string;
  /** The conversation was rewound to before it: the model no longer sees it. */
  rewound?: true;
}
/** The system prompt and the tools of the requests from here on; only if they differ from those before. */
export interface FrameEntry extends Timed {
  readonly kind: 'frame';
  readonly frame: ThreadFrame;
}
export interface TranscriptUserEntry extends Timed {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  /** True for a message that the harness wrote in place of a person. */
  readonly byHarness: boolean;
}
/** One reply of the model with the results of its calls. */
export interface ReplyEntry extends Timed {
  readonly kind: 'reply';
  readonly reply: Reply;
  /** Usage of the reply; undefined if it was cut off. */
  request: RequestCompleted | undefined;
  /** Interrupted attempts at the reply, each with the reason and the text that had arrived. */
  interrupted: readonly InterruptedReply[];
}
export interface InterruptedReply {
  readonly message: string;
  readonly text: string;
}
export interface CompactionEntry extends Timed {
  readonly kind: 'compaction';
  readonly text: string;
  /** The conversation as the model sees it from here on; empty if the log does not say. */
  readonly messages: readonly Message[];
  /** Texts in it that are new: the harness wrote them in place of removed messages. */
  readonly written: readonly string[];
}
/** Marks that the conversation continues from an earlier point. */
interface RewindEntry extends Timed {
  readonly kind: 'rewind';
  readonly text: string;
}
/** A note on an action of the harness, or an error. */
interface NoteEntry extends Timed {
  readonly kind: 'note';
  readonly name: string;
  readonly text: string;
}
interface TurnEntry extends Timed {
  readonly kind: 'turn';
  readonly turnId: string;
}
export interface TurnEndEntry extends Timed {
  readonly kind: 'turn_end';
  readonly event: TurnCompleted | TurnFailed;
  /** Text about the outcome; undefined after a success. */
  readonly text: string | undefined;
}

export function transcriptOf(events: Iterable<LoggedEvent>): Transcript {
  const totals = createTotals();
  const entries: TranscriptEntry[] = [];
  const replies = new Map<string, ReplyEntry>();
  const inOrder: ReplyEntry[] = [];
  const timeline = createTimeline();
  const said = new Set<string>();
  let started: ThreadStarted | undefined;
  let startedAt: string | undefined;
  let verified: ThreadCompleted['verified'];

  const replyEntry = (requestId: string, ts: string): ReplyEntry => {
    const known = replies.get(requestId);
    if (known !== undefined) return known;
    const entry: ReplyEntry = {kind: 'reply', ts, reply: newReply(requestId), request: undefined, interrupted: []};
    replies.set(requestId, entry);
    inOrder.push(entry);
    entries.push(entry);
    return entry;
  };

  const takeItem = (item: ThreadItem, ts: string, finished: boolean): void => {
    if (isReplyItem(item)) addItem(replyEntry(item.request_id, ts).reply, item, finished);
    else if (finished && item.type === 'tool_output') inOrder.findLast(({reply}) => addOutput(reply, item));
    else if (finished) entries.push(...itemEntry(item, ts));
    if (item.type === 'user_message') said.add(item.text);
  };

  const takeRequest = (event: RequestCompleted | RequestFailed, ts: string): void => {
    // What subagents and summaries used is in the totals alone.
    if (event.agent !== undefined) return;
    if (event.type === 'request.completed') replyEntry(event.request_id, ts).request = event;
    else if (event.received !== undefined) {
      const entry = replyEntry(event.request_id, ts);
      entry.interrupted = [...entry.interrupted, {message: event.message, text: event.received}];
    }
  };

  for (const {event, ts} of events) {
    startedAt ??= ts;
    totals.apply(event);
    timeline.apply(event, entries);
    if (event.type === 'thread.completed') verified = event.verified;
    if (event.type === 'thread.started') started ??= event;
    else if (event.type === 'item.started' || event.type === 'item.completed') takeItem(event.item, ts, event.type === 'item.completed');
    else if (event.type === 'request.completed' || event.type === 'request.failed') takeRequest(event, ts);
    else if (event.type === 'thread.compact_boundary') entries.push(compactionEntry(event, ts, said));
    else entries.push(...eventEntry({event, ts}));
  }
  timeline.mark(entries);
  unmark(entries);
  return {started, startedAt, entries, totals: totals.totals(), verified};
}

/** Rewinds and frames are never marked as rewound: a rewind is shown even if undone, and a frame is not part of the conversation. */
function unmark(entries: readonly TranscriptEntry[]): void {
  for (const entry of entries) if (entry.kind === 'rewind' || entry.kind === 'frame') delete entry.rewound;
}

/** A tool call and the result shown to the model; a call that was cut off has a result that says so. */
export interface CallView {
  readonly call: ToolInvocationItem;
  readonly output: ToolOutputItem | undefined;
  readonly text: string;
  readonly isError: boolean;
}

export function callViews(reply: Reply): readonly CallView[] {
  return callsOf(knownItems(reply)).map((call) => {
    const output = reply.outputs.get(call.id);
    return {call, output, text: output?.output ?? NO_RESULT, isError: output?.is_error ?? true};
  });
}

/** The texts of a reply of one kind, in order, with an empty line between. */
export function entryText(reply: Reply, type: 'agent_message' | 'reasoning'): string {
  return knownItems(reply)
    .flatMap((item) => (item.type === type ? [item.text] : []))
    .join('\n\n');
}

function itemEntry(item: ThreadItem, ts: string): readonly TranscriptEntry[] {
  if (item.type === 'user_message') return [{kind: 'user', ts, id: item.id, text: item.text, byHarness: item.origin === 'harness'}];
  if (item.type === 'harness') return [{kind: 'note', ts, name: item.event, text: item.message ?? item.command ?? ''}];
  if (item.type === 'error') return [{kind: 'note', ts, name: 'error', text: item.message}];
  if (item.type === 'plan') return [{kind: 'note', ts, name: 'plan', text: item.text}];
  return [];
}

function eventEntry({event, ts}: Pick<LoggedEvent, 'event' | 'ts'>): readonly TranscriptEntry[] {
  switch (event.type) {
    case 'turn.started':
      return [{kind: 'turn', ts, turnId: event.turn_id}];
    case 'turn.completed':
      return [{kind: 'turn_end', ts, event, text: undefined}];
    case 'turn.failed':
      return [{kind: 'turn_end', ts, event, text: `The turn failed (${event.outcome_code}): ${event.message}`}];
    case 'thread.frame':
      return [{kind: 'frame', ts, frame: event}];
    case 'mode.changed':
      return [{kind: 'note', ts, name: 'mode', text: `${event.from} → ${event.to}`}];
    case 'thread.rewound':
      return [{kind: 'rewind', ts, text: 'The conversation goes on from an earlier point.'}];
    case 'agent.status':
      return agentEntry(event, ts);
    case 'checkpoint.completed':
      return event.notes.map((text) => ({kind: 'note', ts, name: 'undo', text}));
    case 'error':
      return [{kind: 'note', ts, name: 'error', text: event.message}];
    default:
      return [];
  }
}

function agentEntry(event: Extract<LoggedEvent['event'], {type: 'agent.status'}>, ts: string): readonly TranscriptEntry[] {
  const {agent_id: agent, status, message, child_thread_id: log} = event;
  if (status === 'queued' || status === 'running') return [];
  return [{kind: 'note', ts, name: 'agent', text: `${agent} ${status}${message === undefined ? '' : `: ${message}`} (session ${log})`}];
}

function compactionEntry(event: CompactBoundary, ts: string, said: ReadonlySet<string>): CompactionEntry {
  const {trigger, original_message_count: before, compacted_message_count: after} = event;
  // The reader of the log has checked their shape.
  const messages = (event.messages ?? []) as readonly unknown[] as readonly Message[];
  const written = messages.flatMap((message) => (message.role === 'user' && !said.has(message.text) ? [message.text] : []));
  return {kind: 'compaction', ts, text: `The context was compacted (${trigger}): ${before} messages became ${after}.`, messages, written};
}
