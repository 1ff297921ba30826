import type {ThreadFrame} from '../../protocol/events.ts';
import type {RequestCompleted} from '../../protocol/request-events.ts';
import type {AssistantMessage, Message} from '../../protocol/messages.ts';
import {isJsonObject, parseJson} from '../../base/json.ts';
import {callViews, entryText, type ReplyEntry, type Transcript, type TranscriptEntry} from '../../sessions/export/transcript.ts';
import type {ChatMessage, ChatTool} from './records.ts';

/** A conversation as the model saw it: from the beginning, or from a compaction on. */
export interface Conversation {
  readonly turns: readonly Turn[];
  /** Undefined if the log does not say. */
  readonly tools: readonly ChatTool[] | undefined;
}

/** Messages that were new to the model, and its reply to them. */
export interface Turn {
  readonly observation: readonly ChatMessage[];
  readonly action: Extract<ChatMessage, {role: 'assistant'}>;
  readonly request: RequestCompleted | undefined;
}

/**
 * The conversations of a log, in order: one, and one more for each compaction, since the model saw no more of what was before. What was rewound
 * is left out, and replies that were cut off. Subagents have conversations of their own, which are not part of it.
 */
export function conversationsOf({entries}: Transcript): readonly Conversation[] {
  const builder = createBuilder();
  for (const entry of entries) if (entry.rewound !== true) builder.take(entry);
  return builder.end();
}

interface Builder {
  take(entry: TranscriptEntry): void;
  end(): readonly Conversation[];
}

function createBuilder(): Builder {
  const done: Conversation[] = [];
  const frames = new Map<string, ChatTool>();
  let system = '';
  let turns: Turn[] = [];
  let waiting: ChatMessage[] = [];
  const close = (): void => {
    if (turns.length > 0) done.push({turns, tools: frames.size === 0 ? undefined : [...frames.values()]});
    turns = [];
    waiting = system === '' ? [] : [{role: 'system', content: system}];
  };
  return {
    take(entry) {
      if (entry.kind === 'frame') {
        for (const tool of toolsOf(entry.frame)) frames.set(tool.function.name, tool);
        if (system === entry.frame.system) return;
        system = entry.frame.system;
        // The frame of the first request is logged after the prompt that it answers.
        if (turns.length === 0) waiting = [{role: 'system', content: system}, ...waiting.filter(({role}) => role !== 'system')];
      } else if (entry.kind === 'user') waiting.push({role: 'user', content: entry.text});
      else if (entry.kind === 'compaction') {
        close();
        waiting.push(...entry.messages.flatMap(chatMessages));
      } else if (entry.kind === 'reply' && entry.request !== undefined) {
        const {action, results} = replyMessages(entry);
        turns.push({observation: waiting, action, request: entry.request});
        waiting = [...results];
      }
    },
    end() {
      close();
      return done;
    },
  };
}

function toolsOf({tools}: ThreadFrame): readonly ChatTool[] {
  return tools.map(({name, description, parameters}) => ({
    type: 'function',
    function: {name, description, parameters: isJsonObject(parameters) ? parameters : {}},
  }));
}

function replyMessages({reply}: ReplyEntry): {readonly action: Turn['action']; readonly results: readonly ChatMessage[]} {
  const views = callViews(reply);
  const seen = new Set<string>();
  const calls = views.map(({call, text}) => {
    // Providers may repeat an id; results have to find their call.
    const id = call.tool_call_id === '' || seen.has(call.tool_call_id) ? call.id : call.tool_call_id;
    seen.add(id);
    return {id, name: call.tool_name, json: call.arguments, text};
  });
  return {
    action: assistant(entryText(reply, 'agent_message'), calls),
    results: calls.map(({id, text}) => ({role: 'tool', tool_call_id: id, content: text})),
  };
}

interface NamedCall {
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

/** The content is '' and never null: templates of chat models concatenate it. Broken arguments are {}, since readers parse them. */
function assistant(content: string, calls: readonly NamedCall[]): Turn['action'] {
  if (calls.length === 0) return {role: 'assistant', content};
  const functions = calls.map(({id, name, json}) => ({
    id,
    type: 'function' as const,
    function: {name, arguments: isJsonObject(parseJson(json)) ? json : '{}'},
  }));
  return {role: 'assistant', content, tool_calls: functions};
}

/** Messages that a compaction kept or wrote; what the model said in them is not said again. */
function chatMessages(message: Message): readonly ChatMessage[] {
  if (message.role === 'user') return [{role: 'user', content: message.text}];
  if (message.role === 'tool') return message.results.map(({callId, text}) => ({role: 'tool', tool_call_id: callId, content: text}));
  return [{...assistantMessage(message), weight: 0}];
}

function assistantMessage({parts}: AssistantMessage): Turn['action'] {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [{id: part.id, name: part.name, json: part.arguments}] : []));
  return assistant(text, calls);
}
