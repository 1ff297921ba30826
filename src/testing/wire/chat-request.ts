import * as z from 'zod/mini';
import {isJsonObject, parseJson} from '../../base/json.ts';
import type {ReceivedRequest} from '../scenario.ts';
import {pairingProblems} from './pairing.ts';
import {duplicates, readShape, ToolName, ToolParameters} from './shape.ts';

/**
 * Lists violations of Chat Completions and the servers that speak it: unknown keys, a late system prompt, broken arguments, results without
 * calls.
 */
export function chatProblems({body}: ReceivedRequest): readonly string[] {
  const shape = readShape(Request, body);
  if (shape.problems !== undefined) return shape.problems;
  const request = shape.data;
  const both = request.max_tokens !== undefined && request.max_completion_tokens !== undefined;
  return [
    ...duplicates((request.tools ?? []).map((tool) => tool.function.name)),
    ...(both ? ['max_tokens: not together with max_completion_tokens'] : []),
    ...request.messages.flatMap((message, at) => messageProblems(message, at)),
    ...pairingProblems(turnsOf(request.messages)),
  ];
}

const Parts = z.array(z.looseObject({type: z.string()})).check(z.minLength(1));
const Content = z.union([z.string(), Parts]);
const name = z.optional(z.string());

const Call = z.strictObject({
  id: z.string().check(z.minLength(1)),
  type: z.literal('function'),
  function: z.strictObject({name: ToolName, arguments: z.string()}),
});

const Message = z.discriminatedUnion('role', [
  z.strictObject({role: z.enum(['system', 'developer']), content: Content, name}),
  z.strictObject({role: z.literal('user'), content: Content, name}),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.optional(z.nullable(Content)),
    tool_calls: z.optional(z.array(Call).check(z.minLength(1))),
    refusal: z.optional(z.nullable(z.string())),
    name,
    // Reasoning goes back in the field in which a server sent it.
    reasoning_content: z.optional(z.string()),
    reasoning: z.optional(z.string()),
    reasoning_details: z.optional(z.array(z.unknown())),
  }),
  z.strictObject({role: z.literal('tool'), tool_call_id: z.string(), content: Content}),
]);
type Message = z.infer<typeof Message>;

const Tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: ToolName,
    description: z.optional(z.string()),
    parameters: ToolParameters,
    strict: z.optional(z.nullable(z.boolean())),
  }),
});

const Request = z.strictObject({
  model: z.string().check(z.minLength(1)),
  messages: z.array(Message).check(z.minLength(1)),
  stream: z.literal(true),
  stream_options: z.optional(z.strictObject({include_usage: z.optional(z.boolean()), include_obfuscation: z.optional(z.boolean())})),
  tools: z.optional(z.array(Tool).check(z.minLength(1))),
  tool_choice: z.optional(z.unknown()),
  parallel_tool_calls: z.optional(z.boolean()),
  max_tokens: z.optional(z.int()),
  max_completion_tokens: z.optional(z.int()),
  response_format: z.optional(z.looseObject({type: z.enum(['text', 'json_object', 'json_schema'])})),
  reasoning_effort: z.optional(z.string()),
  verbosity: z.optional(z.string()),
  temperature: z.optional(z.number()),
  top_p: z.optional(z.number()),
  seed: z.optional(z.int()),
  stop: z.optional(z.unknown()),
  n: z.optional(z.literal(1)),
  presence_penalty: z.optional(z.number()),
  frequency_penalty: z.optional(z.number()),
  logprobs: z.optional(z.boolean()),
  top_logprobs: z.optional(z.int()),
  metadata: z.optional(z.record(z.string(), z.string())),
  store: z.optional(z.boolean()),
  user: z.optional(z.string()),
  service_tier: z.optional(z.string()),
  prompt_cache_key: z.optional(z.string()),
  safety_identifier: z.optional(z.string()),
});

function messageProblems(message: Message, at: number): readonly string[] {
  const place = `messages.${at}`;
  if (message.role === 'system' || message.role === 'developer') return at === 0 ? [] : [`${place}: the system prompt must come first`];
  if (message.role !== 'assistant') return [];
  const calls = message.tool_calls ?? [];
  const empty = calls.length === 0 && (message.content ?? '') === '' ? [`${place}: neither content nor tool_calls`] : [];
  const broken = calls.flatMap((call, index) =>
    isJsonObject(parseJson(call.function.arguments)) ? [] : [`${place}.tool_calls.${index}.function.arguments: not a JSON object`],
  );
  return [...empty, ...broken];
}

/** Each result is a message here; those of one reply are one turn. */
function turnsOf(messages: readonly Message[]) {
  const turns: {place: string; calls: readonly string[]; results: string[]}[] = [];
  for (const [at, message] of messages.entries()) {
    const last = turns.at(-1);
    const result = message.role === 'tool' ? [message.tool_call_id] : [];
    if (message.role === 'tool' && messages[at - 1]?.role === 'tool') last?.results.push(...result);
    else turns.push({place: `messages.${at}`, calls: callsOf(message), results: result});
  }
  return turns;
}

function callsOf(message: Message): readonly string[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []).map(({id}) => id) : [];
}
