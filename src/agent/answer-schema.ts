import * as z from 'zod';
import type {Json} from '../base/json.ts';
import {parseJson} from '../base/json.ts';
import {FettleError} from '../base/errors.ts';
import type {EndJudge} from './turn-end.ts';

/** Sends an answer that does not fit the schema back three times; the fourth one ends the turn. Throws USAGE where the schema is not understood. */
export function answerSchemaJudge(schema: Json): EndJudge {
  const objectionTo = judgeBySchema(schema);
  return async ({text, objections}) => {
    const objection = objectionTo(text);
    if (objection === undefined) return undefined;
    return objections >= MAX_CORRECTIONS ? {outcome: 'failed', message: objection} : {sendBack: objection};
  };
}

const MAX_CORRECTIONS = 3;

/** Judges an answer by a JSON Schema: undefined where it fits, else what is wrong, as a text for the model. Throws USAGE as above. */
export function judgeBySchema(schema: Json): (text: string) => string | undefined {
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
