import * as z from 'zod/mini';

/** A question about the code, and how much may be spent on it. */
export const investigateArgs = z.object({
  objective: z.string(),
  /** gitignore-style; empty: everything. */
  scope: z.array(z.string()),
  /** Requests to a model, if one is used. */
  maxTurns: z.number(),
  maxToolCalls: z.number(),
  cancelAfterMs: z.optional(z.number()),
});

/** The findings of an investigation, with the places that show them. */
export const investigateResult = z.object({
  /** `search`: words of the objective in text and names. `agent`: a read-only subagent. */
  method: z.enum(['agent', 'search']),
  findings: z.array(
    z.object({
      claim: z.string(),
      /** `path:line`, or a path. */
      evidence: z.array(z.string()),
    }),
  ),
  /** Questions that were not answered, or not looked into. */
  gaps: z.array(z.string()),
  confidence: z.enum(['none', 'low', 'medium', 'high']),
  /** The searches that were made, with their places. */
  searched: z.array(z.string()),
  turnsUsed: z.number(),
  toolCalls: z.number(),
});

export type InvestigateArgs = z.infer<typeof investigateArgs>;
export type InvestigateResult = z.infer<typeof investigateResult>;
