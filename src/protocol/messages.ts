import type {Json} from '../base/json.ts';

/**
 * The conversation as a model sees it. History is built from items (sessions/history.ts) and turned into a wire format only at the
 * provider boundary (models/*.ts). `native` carries what a provider sent and must get back unchanged (signatures, encrypted reasoning);
 * it is sent back only to the wire format that made it.
 */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
}

export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly native?: NativePart | undefined;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly native?: NativePart | undefined;
}

export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** The arguments exactly as the model wrote them: JSON text, possibly broken. */
  readonly arguments: string;
  readonly native?: NativePart | undefined;
}

export interface NativePart {
  /** The wire format that made this part; another format ignores `data`. */
  readonly format: WireFormat;
  readonly data: Json;
}

/** The results of all tool calls of the assistant message before it, in the order of the calls. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly ToolResultPart[];
}

export interface ToolResultPart {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  /** The number of the output among the finished items of the log, from 1: it can be recalled by it. Never sent to a model. */
  readonly item?: number | undefined;
  /** True if `text` was shortened: the log has the rest. Never sent to a model. */
  readonly shortened?: true | undefined;
}

export type WireFormat = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** A tool as a model sees it. `parameters` is a JSON Schema of type object. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

/** The reason why a model stopped, reduced to the reasons that the four wire formats share. */
export type StopReason = 'end' | 'tool_calls' | 'max_tokens' | 'refusal' | 'other';
