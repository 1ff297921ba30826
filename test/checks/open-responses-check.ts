import * as z from 'zod';

/**
 * What is wrong with a stream of Open Responses events: shapes by the schema of the specification (2026-04-24; written anew from its OpenAPI
 * document), and the state machines of responses, items and content parts. Empty where nothing is.
 */
export function checkResponseStream(events: readonly unknown[]): readonly string[] {
  const errors: string[] = [];
  const state: State = {response: undefined, items: [], parts: new Map(), last: -1};
  for (const [index, event] of events.entries()) {
    const parsed = StreamingEvent.safeParse(event);
    if (parsed.success) errors.push(...step(state, parsed.data).map((error) => `${index} ${parsed.data.type}: ${error}`));
    else errors.push(`${index}: ${z.prettifyError(parsed.error)} in ${JSON.stringify(event)}`);
  }
  if (state.response !== undefined) errors.push('a response is still open');
  return errors;
}

const Part = z.discriminatedUnion('type', [
  z.strictObject({type: z.literal('input_text'), text: z.string()}),
  z.strictObject({type: z.literal('output_text'), text: z.string(), annotations: z.array(z.unknown()), logprobs: z.array(z.unknown())}),
  z.strictObject({type: z.literal('reasoning_text'), text: z.string()}),
]);
const Status = z.enum(['in_progress', 'completed', 'incomplete']);
const base = {id: z.string().min(1), status: Status};

const Item = z.union([
  z.strictObject({
    ...base,
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'developer', 'system']),
    content: z.array(Part),
    phase: z.enum(['commentary', 'final_answer']).optional(),
  }),
  z.strictObject({...base, type: z.literal('function_call'), call_id: z.string().min(1), name: z.string(), arguments: z.string()}),
  z.strictObject({...base, type: z.literal('function_call_output'), call_id: z.string().min(1), output: z.string()}),
  z.strictObject({...base, type: z.literal('reasoning'), summary: z.array(Part), content: z.array(Part)}),
  // "These items MUST be prefixed with the canonical provider slug."
  z.looseObject({...base, type: z.templateLiteral(['fettle:', z.string()])}),
]);
type Item = z.infer<typeof Item>;

const Count = z.int().min(0);

/** All 31 keys are required; unknown ones are refused. */
export const ResponseResource = z.strictObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.enum(['in_progress', 'completed', 'failed', 'incomplete']),
  incomplete_details: z.strictObject({reason: z.string()}).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(Item),
  error: z.strictObject({code: z.string(), message: z.string()}).nullable(),
  tools: z.array(z.unknown()),
  tool_choice: z.enum(['none', 'auto', 'required']),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.strictObject({format: z.strictObject({type: z.literal('text')})}),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z.null(),
  usage: z
    .strictObject({
      input_tokens: Count,
      output_tokens: Count,
      total_tokens: Count,
      input_tokens_details: z.strictObject({cached_tokens: Count}),
      output_tokens_details: z.strictObject({reasoning_tokens: Count}),
    })
    .nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});

const numbered = {sequence_number: Count};
const placed = {...numbered, item_id: z.string(), output_index: Count};
const inPart = {...placed, content_index: Count};

const StreamingEvent = z.discriminatedUnion('type', [
  z.strictObject({type: z.enum(['response.created', 'response.in_progress']), ...numbered, response: ResponseResource}),
  z.strictObject({
    type: z.enum(['response.completed', 'response.failed', 'response.incomplete']),
    ...numbered,
    response: ResponseResource,
  }),
  z.strictObject({type: z.enum(['response.output_item.added', 'response.output_item.done']), ...numbered, output_index: Count, item: Item}),
  z.strictObject({type: z.enum(['response.content_part.added', 'response.content_part.done']), ...inPart, part: Part}),
  z.strictObject({type: z.literal('response.output_text.delta'), ...inPart, delta: z.string(), logprobs: z.array(z.unknown())}),
  z.strictObject({type: z.literal('response.output_text.done'), ...inPart, text: z.string(), logprobs: z.array(z.unknown())}),
  z.strictObject({type: z.literal('response.reasoning.delta'), ...inPart, delta: z.string()}),
  z.strictObject({type: z.literal('response.reasoning.done'), ...inPart, text: z.string()}),
  z.strictObject({type: z.literal('response.function_call_arguments.delta'), ...placed, delta: z.string()}),
  z.strictObject({type: z.literal('response.function_call_arguments.done'), ...placed, arguments: z.string()}),
]);
type StreamingEvent = z.infer<typeof StreamingEvent>;

interface State {
  response: 'created' | 'in_progress' | undefined;
  /** By output_index. */
  items: {id: string; item: Item; isDone: boolean}[];
  /** Texts by the id of their item; `open`: the content part is not done. */
  parts: Map<string, {text: string; said: string | undefined; isOpen: boolean}>;
  last: number;
}

function step(state: State, event: StreamingEvent): string[] {
  const errors = event.sequence_number === state.last + 1 ? [] : [`sequence_number ${event.sequence_number} after ${state.last}`];
  state.last = event.sequence_number;
  return [...errors, ...move(state, event)];
}

function move(state: State, event: StreamingEvent): string[] {
  switch (event.type) {
    case 'response.created':
      if (state.response !== undefined) return ['before the end of the one before'];
      Object.assign(state, {response: 'created', items: [], parts: new Map()});
      return event.response.status === 'in_progress' && event.response.output.length === 0 ? [] : ['not fresh'];
    case 'response.in_progress':
      if (state.response !== 'created') return ['not behind response.created'];
      state.response = 'in_progress';
      return event.response.status === 'in_progress' ? [] : ['status'];
    case 'response.completed':
    case 'response.failed':
    case 'response.incomplete':
      return end(state, event);
    default:
      return state.response === 'in_progress' ? moveItem(state, event) : ['outside of a response'];
  }
}

type End = Extract<StreamingEvent, {type: 'response.completed' | 'response.failed' | 'response.incomplete'}>;

function end(state: State, {type, response}: End): string[] {
  const errors = state.response === 'in_progress' ? [] : ['outside of a response'];
  state.response = undefined;
  if (`response.${response.status}` !== type) errors.push(`status ${response.status}`);
  if (state.items.some(({isDone}) => !isDone)) errors.push('an item is not done');
  if (JSON.stringify(state.items.map(({item}) => item)) !== JSON.stringify(response.output)) errors.push('the output is not what was told');
  if ((response.status === 'failed') !== (response.error !== null) && response.status !== 'incomplete') errors.push('error');
  if ((response.status === 'incomplete') !== (response.incomplete_details !== null)) errors.push('incomplete_details');
  if ((response.status === 'completed') !== (response.completed_at !== null)) errors.push('completed_at');
  const cut = state.items.filter(({item}) => item.status === 'incomplete');
  if (cut.length > 1 || (cut.length === 1 && response.status !== 'incomplete'))
    errors.push('an incomplete item is the last, of an incomplete response');
  const calls = response.output.flatMap((item) => (item.type === 'function_call' && 'call_id' in item ? [item.call_id] : []));
  const outputs = response.output.flatMap((item) => (item.type === 'function_call_output' && 'call_id' in item ? [item.call_id] : []));
  if (new Set(calls).size !== calls.length) errors.push('call ids repeat');
  if (JSON.stringify(calls.toSorted()) !== JSON.stringify(outputs.toSorted())) errors.push('each call has one output');
  return errors;
}

type ItemEvent = Exclude<StreamingEvent, {response: unknown}>;
type PartEvent = Extract<ItemEvent, {item_id: string}>;

function moveItem(state: State, event: ItemEvent): string[] {
  if (event.type === 'response.output_item.added') {
    const {item, output_index: index} = event;
    state.items.push({id: item.id, item, isDone: false});
    return [...(index === state.items.length - 1 ? [] : ['output_index']), ...(item.status === 'in_progress' ? [] : ['status'])];
  }
  const known = state.items[event.output_index];
  if (known === undefined || known.isDone) return ['of an item that is not open'];
  if (!('item_id' in event)) {
    known.item = event.item;
    known.isDone = true;
    const part = state.parts.get(known.id);
    const content = 'content' in event.item && Array.isArray(event.item.content) ? (event.item.content as {text?: unknown}[]) : [];
    if (event.item.id !== known.id || event.item.status === 'in_progress') return ['id or status'];
    return part === undefined || (!part.isOpen && content[0]?.text === part.text) ? [] : ['the content is not what was told'];
  }
  return event.item_id === known.id ? movePart(state, event) : ['item_id'];
}

function movePart(state: State, event: PartEvent): string[] {
  if (event.type.startsWith('response.function_call_arguments')) return [];
  const part = state.parts.get(event.item_id);
  if (event.type === 'response.content_part.added') {
    state.parts.set(event.item_id, {text: '', said: undefined, isOpen: true});
    return part === undefined && event.part.text === '' ? [] : ['twice, or not empty'];
  }
  if (part?.isOpen !== true) return ['without an open part'];
  if ('delta' in event) part.text += event.delta;
  else if ('text' in event) part.said = event.text;
  else if ('part' in event) {
    part.isOpen = false;
    return part.said === part.text && event.part.text === part.text ? [] : ['the deltas are not the text'];
  }
  return [];
}
