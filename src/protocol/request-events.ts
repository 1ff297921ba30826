import * as z from 'zod/mini';
import type {Known} from './known.ts';
import {Usage} from './usage.ts';

/** The subagent that asked: its profile and its id; the turn is the one that started it. Without them the thread itself asked. */
export const Asker = {agent: z.optional(z.string()), agent_id: z.optional(z.string())};

/** One request to a model, after it was answered. */
export const RequestCompleted = z.looseObject({
  type: z.literal('request.completed'),
  turn_id: z.string(),
  request_id: z.string(),
  model: z.string(),
  stop_reason: z.string(),
  usage: Usage,
  cost_usd: z.nullable(z.number()),
  duration_ms: z.number(),
  retries: z.number(),
  /** Log probability of each token of the reply, in order; natural logarithms. Present if requested and supported. */
  logprobs: z.optional(z.array(z.number())),
  /** The temperature that was sent with the request. Absent: none, so that the server used its default. */
  temperature: z.optional(z.number()),
  ...Asker,
});

/** An attempt that failed after the model had begun to answer: it is paid for. The request goes on, or the turn ends. */
export const RequestFailed = z.looseObject({
  type: z.literal('request.failed'),
  turn_id: z.string(),
  request_id: z.string(),
  model: z.string(),
  message: z.string(),
  /** As reported by the server; if it broke off before that, estimated from the data sent and received. */
  usage: Usage,
  cost_usd: z.nullable(z.number()),
  /** The part of the reply that had arrived, bounded. It never goes back to a model. */
  received: z.optional(z.string()),
  ...Asker,
});

export type RequestCompleted = Known<z.infer<typeof RequestCompleted>>;
export type RequestFailed = Known<z.infer<typeof RequestFailed>>;
