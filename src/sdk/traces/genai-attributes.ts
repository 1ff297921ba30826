import type {TurnCompleted, TurnFailed} from '../../protocol/events.ts';
import type {RequestCompleted} from '../../protocol/request-events.ts';
import type {ToolInvocationItem, ToolOutputItem} from '../../protocol/items.ts';
import type {History} from '../../sessions/history.ts';
import {inputMessages, outputMessages} from './genai-messages.ts';
import type {SpanAttributes} from './span.ts';

/** Returns the attributes of `invoke_agent`. */
export function agentAttributes(agent: string, {id, model}: {id: string; model: string}): SpanAttributes {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    // No reply has arrived that would name the model.
    ...(model === '' ? {} : {'gen_ai.provider.name': modelOf(model).provider, 'gen_ai.request.model': modelOf(model).model}),
    'gen_ai.agent.name': agent,
    'gen_ai.conversation.id': id,
  };
}

/** Returns the attributes of `invoke_agent`, at its end. */
export function endAttributes(event: TurnCompleted | TurnFailed, content: boolean): SpanAttributes {
  return {
    ...usageAttributes(event),
    'fettle.requests': event.num_requests,
    'fettle.cost_usd': event.cost_usd ?? undefined,
    ...(event.type === 'turn.failed' ? {'error.type': event.outcome_code, 'error.message': content ? event.message : undefined} : {}),
  };
}

/** Returns the attributes of `chat`. */
export function chatAttributes(event: RequestCompleted, conversation: string): SpanAttributes {
  const {provider, model} = modelOf(event.model);
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    'gen_ai.conversation.id': conversation,
    'gen_ai.response.finish_reasons': [FINISH[event.stop_reason] ?? event.stop_reason],
    ...usageAttributes(event),
    'gen_ai.agent.name': event.agent,
    'fettle.retries': event.retries,
    'fettle.cost_usd': event.cost_usd ?? undefined,
  };
}

/** Stop reasons in the terms of the conventions. */
const FINISH: Readonly<Record<string, string>> = {end: 'stop', tool_calls: 'tool_call', max_tokens: 'length', refusal: 'content_filter'};

/** Cached tokens are part of the input tokens, in the conventions as here. */
function usageAttributes({usage}: Pick<RequestCompleted, 'usage'>): SpanAttributes {
  return {
    'gen_ai.usage.input_tokens': usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cached_input_tokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cache_creation_tokens,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoning_tokens,
  };
}

/** Returns the attributes of `execute_tool`; `output` is set if content is wanted. */
export function toolAttributes(item: ToolInvocationItem, output: ToolOutputItem | undefined): SpanAttributes {
  const failed = item.outcome !== undefined && item.outcome !== 'success';
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': item.tool_name,
    'gen_ai.tool.call.id': item.tool_call_id,
    'gen_ai.tool.type': 'function',
    ...(failed ? {'error.type': item.outcome} : {}),
    ...(item.from_cache === true ? {'fettle.tool.from_cache': 'true'} : {}),
    ...(output === undefined ? {} : {'gen_ai.tool.call.arguments': item.arguments, 'gen_ai.tool.call.result': output.output}),
  };
}

/** Returns the content attributes: messages sent and received; the history ends with the answer. */
export function contentOf(history: History, event: RequestCompleted): SpanAttributes {
  const messages = history.messages();
  const last = messages.at(-1);
  const input = last?.role === 'tool' ? messages.slice(0, -2) : last?.role === 'assistant' ? messages.slice(0, -1) : messages;
  const reply = messages.findLast(({role}) => role === 'assistant');
  return {
    'gen_ai.input.messages': inputMessages(input),
    'gen_ai.output.messages':
      input.length === messages.length ? '[]' : outputMessages(reply, FINISH[event.stop_reason] ?? event.stop_reason),
  };
}

/** Uses a well-known name of the conventions if there is one. */
export function modelOf(reference: string): {provider: string; model: string} {
  const slash = reference.indexOf('/');
  const [, scheme] = /^(script|replay):/.exec(reference) ?? [];
  // A model that is a local file has a path, which must not be sent as its name.
  if (scheme !== undefined) return {provider: 'fettle', model: scheme};
  const provider = slash < 0 ? reference : reference.slice(0, slash);
  return {provider: PROVIDERS[provider] ?? provider, model: reference.slice(slash + 1)};
}

const PROVIDERS: Readonly<Record<string, string>> = {gemini: 'gcp.gemini', mistral: 'mistral_ai', 'openai-chat': 'openai'};
