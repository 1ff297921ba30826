import * as z from 'zod';
import type {Json} from '../base/json.ts';
import {parseJson} from '../base/json.ts';
import {FettleError} from '../base/errors.ts';

/** Judges final answers by a JSON Schema: undefined where the answer fits, else what is wrong, as a text for the model. */
export type AnswerJudge = (text: string) => string | undefined;

/** Throws USAGE where the schema itself is not understood. */
export function judgeBySchema(schema: Json): AnswerJudge {
  const compiled = compile(schema);
  return (text) => {
    const value = parseJson(text);
    if (value === undefined) return 'The final answer must be one JSON value and nothing else: no prose, no code fence. Answer again.';
    const result = compiled.safeParse(value);
    if (result.success) return undefined;
    const problems = result.error.issues.map((issue) => `${issue.path.join('.') || '(root)'}: ${issue.message}`);
    return `The final answer does not fit the required JSON Schema. Answer again. ${problems.slice(0, 8).join('; ')}`;
  };
}

function compile(schema: Json): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (cause) {
    const message = `The output schema is not understood: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new FettleError({code: 'USAGE', message, hint: 'Give a JSON Schema (2020-12, draft 7) without remote references.', cause});
  }
}
