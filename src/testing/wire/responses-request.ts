import * as z from 'zod/mini';
import type {ReceivedRequest} from '../scenario.ts';
import {pairingProblems} from './pairing.ts';
import {duplicates, readShape, ToolName, ToolParameters} from './shape.ts';
import {isEncrypted, signatureOf} from './signature.ts';

/** Lists violations of the Responses API: unknown keys and items, lost reasoning, results without calls. */
export function responsesProblems(received: ReceivedRequest): readonly string[] {
  if (isCompaction(received)) {
    const shape = readShape(CompactRequest, received.body);
    return shape.problems ?? inputProblems(shape.data.input, false);
  }
  const shape = readShape(Request, received.body);
  if (shape.problems !== undefined) return shape.problems;
  const {tools = [], input, store} = shape.data;
  return [...duplicates(tools.map(({name}) => name)), ...inputProblems(input, store !== false)];
}

/** `/v1/responses/compact`: the conversation is shortened, not answered. */
export function isCompaction({path}: Pick<ReceivedRequest, 'path'>): boolean {
  return path.endsWith('/compact');
}

function inputProblems(input: string | readonly InputItem[], stored: boolean): readonly string[] {
  const items = typeof input === 'string' ? [] : input;
  return [...items.flatMap((item, at) => itemProblems(item, {place: `input.${at}`, stored})), ...pairingProblems(turnsOf(items))];
}

const ItemId = z.optional(z.string());
const status = z.optional(z.enum(['in_progress', 'completed', 'incomplete']));

const InputText = z.strictObject({type: z.literal('input_text'), text: z.string()});
const OutputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.optional(z.array(z.unknown())),
  logprobs: z.optional(z.array(z.unknown())),
});
const Refusal = z.strictObject({type: z.literal('refusal'), refusal: z.string()});

const type = z.optional(z.literal('message'));
const Message = z.discriminatedUnion('role', [
  z.strictObject({
    type,
    role: z.enum(['user', 'system', 'developer']),
    content: z.union([z.string(), z.array(InputText)]),
    id: ItemId,
    status,
  }),
  z.strictObject({
    type,
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [OutputText, Refusal]))]),
    id: ItemId,
    status,
    phase: z.optional(z.nullable(z.string())),
  }),
]);

const Item = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function_call'),
    call_id: z.string().check(z.minLength(1), z.maxLength(64)),
    name: ToolName,
    arguments: z.string(),
    id: ItemId,
    status,
  }),
  z.strictObject({
    type: z.literal('function_call_output'),
    call_id: z.string(),
    output: z.union([z.string(), z.array(InputText)]),
    id: ItemId,
    status,
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    summary: z.array(z.strictObject({type: z.literal('summary_text'), text: z.string()})),
    content: z.optional(z.nullable(z.array(z.strictObject({type: z.literal('reasoning_text'), text: z.string()})))),
    encrypted_content: z.optional(z.nullable(z.string())),
    id: ItemId,
    status,
  }),
  z.strictObject({type: z.literal('compaction'), encrypted_content: z.string(), id: ItemId}),
]);

type InputItem = z.infer<typeof Message> | z.infer<typeof Item>;

const Tool = z.strictObject({
  type: z.literal('function'),
  name: ToolName,
  description: z.optional(z.nullable(z.string())),
  parameters: ToolParameters,
  strict: z.optional(z.nullable(z.boolean())),
});

const Input = z.union([z.string(), z.array(z.union([Item, Message])).check(z.minLength(1))]);

const CompactRequest = z.strictObject({
  model: z.string().check(z.minLength(1)),
  input: Input,
  instructions: z.optional(z.nullable(z.string())),
  prompt_cache_key: z.optional(z.nullable(z.string())),
});

const Request = z.strictObject({
  model: z.string().check(z.minLength(1)),
  input: Input,
  stream: z.literal(true),
  instructions: z.optional(z.nullable(z.string())),
  tools: z.optional(z.array(Tool)),
  tool_choice: z.optional(z.unknown()),
  parallel_tool_calls: z.optional(z.boolean()),
  previous_response_id: z.optional(z.nullable(z.string())),
  include: z.optional(z.array(z.string())),
  store: z.optional(z.boolean()),
  max_output_tokens: z.optional(z.int()),
  max_tool_calls: z.optional(z.int()),
  reasoning: z.optional(z.strictObject({effort: z.optional(z.string()), summary: z.optional(z.string())})),
  text: z.optional(z.strictObject({format: z.optional(z.looseObject({type: z.string()})), verbosity: z.optional(z.string())})),
  temperature: z.optional(z.number()),
  top_p: z.optional(z.number()),
  presence_penalty: z.optional(z.number()),
  frequency_penalty: z.optional(z.number()),
  top_logprobs: z.optional(z.int()),
  truncation: z.optional(z.enum(['auto', 'disabled'])),
  background: z.optional(z.literal(false)),
  stream_options: z.optional(z.strictObject({include_obfuscation: z.optional(z.boolean())})),
  metadata: z.optional(z.record(z.string(), z.string())),
  service_tier: z.optional(z.string()),
  safety_identifier: z.optional(z.string()),
  prompt_cache_key: z.optional(z.string()),
});

/** Items that the server does not store must come back whole: with their encrypted content, and exactly as they were sent. */
function itemProblems(item: InputItem, {place, stored}: {place: string; stored: boolean}): readonly string[] {
  if (item.type === 'compaction') return isEncrypted(item.encrypted_content) ? [] : [`${place}.encrypted_content: could not be verified`];
  if (item.type !== 'reasoning') return [];
  const text = item.summary.map((part) => part.text).join('');
  const secret = item.encrypted_content ?? undefined;
  if (secret === undefined) return stored ? [] : [`${place}: reasoning is not persisted when store is false, encrypted_content is missing`];
  return secret === signatureOf(text) ? [] : [`${place}.encrypted_content: could not be verified`];
}

/** The input is flat: items of the model form one turn up to the first item of another kind, and so do adjacent results. */
function turnsOf(items: readonly InputItem[]) {
  const turns: {place: string; kind: string; calls: string[]; results: string[]}[] = [];
  for (const [at, item] of items.entries()) {
    const kind = kindOf(item);
    if (turns.at(-1)?.kind !== kind) turns.push({place: `input.${at}`, kind, calls: [], results: []});
    if (item.type === 'function_call') turns.at(-1)?.calls.push(item.call_id);
    if (item.type === 'function_call_output') turns.at(-1)?.results.push(item.call_id);
  }
  return turns;
}

function kindOf(item: InputItem): string {
  if (item.type === 'function_call_output') return 'results';
  if (item.type === 'compaction') return 'input';
  return item.type === 'function_call' || item.type === 'reasoning' || item.role === 'assistant' ? 'reply' : 'input';
}
