import * as z from 'zod/mini';

/** A call as OpenAI's chat format has it; `arguments` is JSON text. */
const ToolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({name: z.string(), arguments: z.string()}),
});

/** A message of OpenAI's chat format. `weight` 0: the model did not write it here, or it is not to be learned. */
export const ChatMessage = z.discriminatedUnion('role', [
  z.object({role: z.literal('system'), content: z.string()}),
  z.object({role: z.literal('user'), content: z.string()}),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    tool_calls: z.optional(z.array(ToolCall).check(z.minLength(1))),
    weight: z.optional(z.union([z.literal(0), z.literal(1)])),
  }),
  z.object({role: z.literal('tool'), tool_call_id: z.string(), content: z.string()}),
]);
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A tool as OpenAI's chat format has it; `parameters` is a JSON Schema. */
export const ChatTool = z.object({
  type: z.literal('function'),
  function: z.object({name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown())}),
});
export type ChatTool = z.infer<typeof ChatTool>;

/** One line of a supervised dataset: a conversation whose last message the model wrote. */
export const SftRecord = z.object({
  messages: z.array(ChatMessage).check(z.minLength(2)),
  tools: z.optional(z.array(ChatTool)),
});
export type SftRecord = z.infer<typeof SftRecord>;

/** A message as TRL's conversational format has it: arguments are an object, and a result names its tool. */
export const PreferenceMessage = z.discriminatedUnion('role', [
  z.object({role: z.literal('system'), content: z.string()}),
  z.object({role: z.literal('user'), content: z.string()}),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    tool_calls: z.optional(
      z
        .array(
          z.object({
            id: z.string(),
            type: z.literal('function'),
            function: z.object({name: z.string(), arguments: z.record(z.string(), z.unknown())}),
          }),
        )
        .check(z.minLength(1)),
    ),
  }),
  z.object({role: z.literal('tool'), name: z.string(), tool_call_id: z.string(), content: z.string()}),
]);
export type PreferenceMessage = z.infer<typeof PreferenceMessage>;

/** One line of a dataset of preferences: the same prompt, done well and not. */
export const PreferenceRecord = z.object({
  prompt: z.array(PreferenceMessage).check(z.minLength(1)),
  chosen: z.array(PreferenceMessage).check(z.minLength(1)),
  rejected: z.array(PreferenceMessage).check(z.minLength(1)),
  tools: z.optional(z.array(ChatTool)),
});
export type PreferenceRecord = z.infer<typeof PreferenceRecord>;

/** One line of a dataset for reinforcement learning: one reply of the model. */
export const RlRecord = z.object({
  /** The same for all transitions of a rollout. */
  episode: z.string(),
  /** 0, 1, 2 … within the episode. */
  t: z.number(),
  /** Messages since the previous action; the state is everything up to here. */
  observation: z.array(ChatMessage),
  /** `replace`: the conversation was compacted or starts over: the state is this observation alone. */
  context: z.enum(['append', 'replace']),
  action: ChatMessage,
  /** Tools that the model had; where `context` is `replace`. */
  tools: z.optional(z.array(ChatTool)),
  /** The reward of the verification, with the last action of a step; 0 before. The rewards of an episode add up to that of its rollout. */
  reward: z.number(),
  /** The episode ended by itself. */
  terminated: z.boolean(),
  /** It ended at a limit of time, turns, tokens or money: its last state is not an end of the task. */
  truncated: z.boolean(),
  info: z.object({
    prompt_tokens: z.optional(z.number()),
    completion_tokens: z.optional(z.number()),
    cost_usd: z.optional(z.number()),
    /** Natural logarithms, one for each token of the action. */
    logprobs: z.optional(z.array(z.number())),
    /** The temperature that was sent; absent: none. */
    temperature: z.optional(z.number()),
  }),
});
export type RlRecord = z.infer<typeof RlRecord>;

/** One line beside each line of a dataset, with the same number: where the record comes from. */
export const Provenance = z.object({
  run: z.string(),
  suite: z.string(),
  task: z.string(),
  task_digest: z.string(),
  model: z.string(),
  toolset: z.string(),
  attempt: z.number(),
  /** Name of the step, if the task has several. */
  step: z.optional(z.string()),
  /** Profile of the subagent whose conversation it is; without it that of the agent itself. */
  subagent: z.optional(z.string()),
  /** 0, 1, 2 … if a compaction parts the conversation. */
  part: z.optional(z.number()),
  outcome: z.enum(['passed', 'failed']),
  reward: z.number(),
  /** Result of the hidden verification of the suite with the promoted patch, only for rollouts that self-play promoted. It decided nothing. */
  hidden_verification: z.optional(z.enum(['passed', 'failed'])),
  fettle_version: z.string(),
  /** The rejected side of a pair. */
  rejected: z.optional(z.object({model: z.string(), toolset: z.string(), attempt: z.number(), failure: z.string(), reward: z.number()})),
});
export type Provenance = z.infer<typeof Provenance>;
