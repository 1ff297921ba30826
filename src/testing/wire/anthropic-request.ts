import * as z from 'zod/mini';
import type {ReceivedRequest} from '../scenario.ts';
import {pairingProblems} from './pairing.ts';
import {duplicates, readShape, ToolParameters} from './shape.ts';
import {signatureOf} from './signature.ts';

/**
 * Lists violations of the Messages API: unknown keys, roles that do not alternate, lost thinking, results without calls, a fifth breakpoint.
 */
export function anthropicProblems({body, headers}: ReceivedRequest): readonly string[] {
  if (headers['anthropic-version'] === undefined) return ['anthropic-version: header is required'];
  const shape = readShape(Request, body);
  if (shape.problems !== undefined) return shape.problems;
  const request = shape.data;
  const turns = request.messages.map(({role, content}) => ({role, blocks: typeof content === 'string' ? [] : content}));
  return [
    ...duplicates((request.tools ?? []).map(({name}) => name)),
    ...alternation(turns),
    ...turns.flatMap(({blocks}, at) => blocks.flatMap((block, index) => blockProblems(block, `messages.${at}.content.${index}`))),
    ...turns.flatMap(({blocks}, at) => resultsFirst(blocks, `messages.${at}`)),
    ...pairingProblems(turns.map(toPairing)),
    ...breakpoints(request),
    ...(request.context_management === undefined ||
    String(headers['anthropic-beta'] ?? '')
      .split(',')
      .includes(COMPACTION_BETA)
      ? []
      : [`context_management: Extra inputs are not permitted without the beta ${COMPACTION_BETA}`]),
  ];
}

const cache_control = z.optional(z.strictObject({type: z.literal('ephemeral'), ttl: z.optional(z.enum(['5m', '1h']))}));
const NonBlank = z.string().check(z.regex(/\S/));
const Id = z.string().check(z.regex(/^[a-zA-Z0-9_-]+$/));

const Text = z.strictObject({type: z.literal('text'), text: NonBlank, cache_control});

const Block = z.discriminatedUnion('type', [
  Text,
  z.strictObject({type: z.literal('thinking'), thinking: z.string(), signature: z.string()}),
  z.strictObject({type: z.literal('redacted_thinking'), data: z.string()}),
  z.strictObject({type: z.literal('tool_use'), id: Id, name: z.string(), input: z.record(z.string(), z.unknown()), cache_control}),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: Id,
    content: z.optional(z.union([z.string(), z.array(Text)])),
    is_error: z.optional(z.boolean()),
    cache_control,
  }),
]);
type Block = z.infer<typeof Block>;

const Tool = z.strictObject({
  name: z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,128}$/)),
  description: z.optional(z.string()),
  input_schema: ToolParameters,
  strict: z.optional(z.boolean()),
  cache_control,
});

const COMPACTION_BETA = 'compact-2026-01-12';

const CompactEdit = z.strictObject({
  type: z.literal('compact_20260112'),
  trigger: z.optional(z.strictObject({type: z.literal('input_tokens'), value: z.int().check(z.minimum(50_000))})),
  pause_after_compaction: z.optional(z.boolean()),
  instructions: z.optional(z.nullable(z.string())),
});

const Request = z.strictObject({
  model: z.string().check(z.minLength(1)),
  max_tokens: z.int().check(z.positive()),
  stream: z.literal(true),
  system: z.optional(z.union([NonBlank, z.array(Text)])),
  tools: z.optional(z.array(Tool)),
  messages: z
    .array(z.strictObject({role: z.enum(['user', 'assistant']), content: z.union([NonBlank, z.array(Block).check(z.minLength(1))])}))
    .check(z.minLength(1)),
  thinking: z.optional(
    z.strictObject({
      type: z.enum(['adaptive', 'enabled', 'disabled']),
      budget_tokens: z.optional(z.int()),
      display: z.optional(z.enum(['summarized', 'omitted'])),
      block_binding: z.optional(z.strictObject({prefix_mismatch_behavior: z.enum(['error', 'drop_block'])})),
    }),
  ),
  output_config: z.optional(
    z.strictObject({
      effort: z.optional(z.string()),
      format: z.optional(z.strictObject({type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown())})),
    }),
  ),
  context_management: z.optional(z.strictObject({edits: z.array(CompactEdit)})),
  tool_choice: z.optional(z.looseObject({type: z.enum(['auto', 'any', 'tool', 'none'])})),
  metadata: z.optional(z.strictObject({user_id: z.optional(z.string())})),
  temperature: z.optional(z.number()),
  top_p: z.optional(z.number()),
  top_k: z.optional(z.number()),
  stop_sequences: z.optional(z.array(z.string())),
  service_tier: z.optional(z.string()),
});

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly Block[];
}

/** Newer models take no beginning of their own reply: the last turn is the user's. */
function alternation(turns: readonly Turn[]): readonly string[] {
  const wrong = turns.flatMap(({role}, at) =>
    role === (at % 2 === 0 ? 'user' : 'assistant') ? [] : [`messages.${at}: roles must alternate`],
  );
  return turns.at(-1)?.role === 'user' ? wrong : [...wrong, 'messages: the last one must be of the user'];
}

function blockProblems(block: Block, place: string): readonly string[] {
  const changed = block.type === 'thinking' && block.signature !== signatureOf(block.thinking);
  return changed ? [`${place}: Invalid \`signature\` in \`thinking\` block`] : [];
}

function resultsFirst(blocks: readonly Block[], place: string): readonly string[] {
  const words = blocks.findIndex(({type}) => type !== 'tool_result');
  return words >= 0 && blocks.slice(words).some(({type}) => type === 'tool_result') ? [`${place}: tool_result blocks must come first`] : [];
}

function toPairing({role, blocks}: Turn, at: number) {
  return {
    place: `messages.${at}`,
    calls: blocks.flatMap((block) => (role === 'assistant' && block.type === 'tool_use' ? [block.id] : [])),
    results: blocks.flatMap((block) => (role === 'user' && block.type === 'tool_result' ? [block.tool_use_id] : [])),
  };
}

function breakpoints({system, tools = [], messages}: z.infer<typeof Request>): readonly string[] {
  const blocks = [
    ...tools,
    ...(Array.isArray(system) ? system : []),
    ...messages.flatMap(({content}) => (Array.isArray(content) ? content : [])),
  ];
  const count = blocks.filter((block) => 'cache_control' in block && block.cache_control !== undefined).length;
  return count > 4 ? [`a maximum of 4 blocks with cache_control may be provided, found ${count}`] : [];
}
