import type {ToolOutcome} from '../../protocol/items.ts';
import type {RequestCompleted} from '../../protocol/request-events.ts';
import type {AssistantMessage, AssistantPart, Message, NativePart} from '../../protocol/messages.ts';
import {createHistory, type History} from '../history.ts';
import type {LoggedEvent} from '../log-line.ts';
import {addItem, addOutput, callsOf, isReplyItem, knownItems, newReply, type Reply, type ReplyItem} from '../reply.ts';

/** A turn as it was recorded. */
export interface RecordedTurn {
  readonly id: string;
  readonly prompt: string;
  readonly steps: readonly RecordedStep[];
  /** False: it was cancelled, failed, or cut off. */
  readonly isCompleted: boolean;
}

/** One request, its answer, and the results of its calls. */
export interface RecordedStep {
  /** Messages sent to the model. */
  readonly messages: readonly Message[];
  /** User texts that came into the conversation since the answer before: of a person who steered, or of the harness. */
  readonly texts: readonly string[];
  /** The conversation was shortened since the request before, or the turn before it was cut off: what it holds is not made of what was done. */
  readonly compacted: boolean;
  readonly reply: AssistantMessage;
  readonly answer: RequestCompleted;
  readonly calls: readonly RecordedCall[];
}

export interface RecordedCall {
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
  /** undefined: it was cut off. */
  readonly outcome: ToolOutcome | undefined;
  readonly output: string | undefined;
  readonly isError: boolean;
}

export interface Recording {
  readonly turns: readonly RecordedTurn[];
  /** The conversation was rewound later: turns after that are left out, since nobody recorded the files they began with. */
  readonly isRewound: boolean;
}

/** Reads the turns recorded in a session log, up to its first rewinding. Abandoned requests are left out. */
export function recordedTurns(events: Iterable<LoggedEvent>): Recording {
  const reader = createReader();
  for (const {event} of events) {
    if (event.type === 'thread.rewound') return {turns: reader.turns(), isRewound: true};
    reader.take(event);
  }
  return {turns: reader.turns(), isRewound: false};
}

interface Turn {
  readonly id: string;
  prompt: string | undefined;
  readonly steps: Step[];
  isCompleted: boolean;
  /** False: it was cut off with its process. */
  isEnded: boolean;
}

interface Step {
  readonly messages: readonly Message[];
  readonly texts: readonly string[];
  readonly compacted: boolean;
  readonly reply: Reply;
  readonly answer: RequestCompleted;
}

interface Reader {
  take(event: LoggedEvent['event']): void;
  turns(): readonly RecordedTurn[];
}

function createReader(): Reader {
  const history = createHistory();
  const turns: Turn[] = [];
  /** Requests that were begun: their messages, and their items. */
  const begun = new Map<string, {readonly messages: readonly Message[]; readonly reply: Reply}>();
  let texts: string[] = [];
  let compacted = false;

  const begin = (requestId: string): {readonly messages: readonly Message[]; readonly reply: Reply} => {
    const known = begun.get(requestId) ?? {messages: history.messages(), reply: newReply(requestId)};
    begun.set(requestId, known);
    return known;
  };
  const takeItem = (item: Parameters<History['apply']>[0] & {type: 'item.started' | 'item.completed'}): void => {
    const {item: own, type} = item;
    const turn = turns.at(-1);
    if (isReplyItem(own)) addItem(begin(own.request_id).reply, own, type === 'item.completed');
    else if (type === 'item.completed' && own.type === 'tool_output') turns.at(-1)?.steps.findLast(({reply}) => addOutput(reply, own));
    else if (type === 'item.completed' && own.type === 'user_message' && turn !== undefined) {
      if (turn.prompt === undefined) turn.prompt = own.text;
      else texts.push(own.text);
    }
  };
  const beginTurn = (id: string): void => {
    // Messages after the last answer were never sent in that turn.
    compacted ||= turns.at(-1)?.isEnded === false || texts.length > 0;
    turns.push({id, prompt: undefined, steps: [], isCompleted: false, isEnded: false});
    texts = [];
  };
  const answer = (event: RequestCompleted): void => {
    turns.at(-1)?.steps.push({...begin(event.request_id), texts, compacted, answer: event});
    texts = [];
    compacted = false;
  };

  return {
    take(event) {
      if (event.type === 'turn.started') beginTurn(event.turn_id);
      else if (event.type === 'turn.completed' || event.type === 'turn.failed')
        Object.assign(turns.at(-1) ?? {}, {isCompleted: event.type === 'turn.completed', isEnded: true});
      else if (event.type === 'item.started' || event.type === 'item.completed') takeItem(event);
      else if (event.type === 'request.completed' && event.agent === undefined) answer(event);
      history.apply(event);
      if (event.type === 'thread.compact_boundary' && event.messages !== undefined) compacted = true;
    },
    turns: () =>
      turns.flatMap(({id, prompt, steps, isCompleted}) =>
        prompt === undefined ? [] : [{id, prompt, steps: steps.map(settled), isCompleted}],
      ),
  };
}

function settled({reply, ...step}: Step): RecordedStep {
  const items = knownItems(reply);
  return {...step, reply: {role: 'assistant', parts: items.map(partOf)}, calls: callsOf(items).map((call) => recordedCall(call, reply))};
}

function recordedCall(call: ReplyItem & {type: 'tool_invocation'}, reply: Reply): RecordedCall {
  const output = reply.outputs.get(call.id);
  const outcome = output === undefined ? undefined : (call.outcome ?? (output.is_error ? 'error' : 'success'));
  return {name: call.tool_name, arguments: call.arguments, outcome, output: output?.output, isError: output?.is_error ?? true};
}

function partOf(item: ReplyItem): AssistantPart {
  const native = item.native === undefined ? {} : {native: item.native as NativePart};
  if (item.type === 'tool_invocation') {
    return {type: 'tool_call', id: item.tool_call_id, name: item.tool_name, arguments: item.arguments, ...native};
  }
  return {type: item.type === 'reasoning' ? 'reasoning' : 'text', text: item.text, ...native};
}
