import {FettleError, toFettleError} from '../base/errors.ts';
import {compileSchema, type CompiledSchema} from '../base/json-schema/compile-schema.ts';
import {parseJson, type Json} from '../base/json.ts';
import type {EndJudge} from './turn-end.ts';

/** Sends an answer that does not fit the schema back three times; the fourth one ends the turn. Throws USAGE if the schema is not understood. */
export async function answerSchemaJudge(schema: Json): Promise<EndJudge> {
  const rejectionOf = await judgeBySchema(schema);
  return async ({text, rejections}) => {
    const rejection = rejectionOf(text);
    if (rejection === undefined) return undefined;
    return rejections >= MAX_CORRECTIONS ? {outcome: 'failed', message: rejection} : {feedback: rejection};
  };
}

const MAX_CORRECTIONS = 3;

/** Checks an answer against a JSON Schema: undefined if it matches, else the problems, as a text for the model. Throws USAGE as above. */
export async function judgeBySchema(schema: Json): Promise<(text: string) => string | undefined> {
  const compiled = await compile(schema);
  return (text) => {
    const value = parseJson(text);
    if (value === undefined) return 'The final answer must be one JSON value and nothing else: no prose, no code fence. Answer again.';
    const problems = problemsOf(compiled, value);
    return problems.length === 0
      ? undefined
      : `The final answer does not fit the required JSON Schema. Answer again. ${problems.join('; ')}`;
  };
}

function problemsOf(compiled: CompiledSchema, value: Json): readonly string[] {
  try {
    return compiled.problems(value);
  } catch (thrown) {
    return [toFettleError(thrown).message];
  }
}

async function compile(schema: Json): Promise<CompiledSchema> {
  const compiled = await compileSchema(schema).catch((cause: unknown) => {
    throw notUnderstood(toFettleError(cause).message, cause);
  });
  const [pattern] = compiled.unchecked;
  if (pattern === undefined) return compiled;
  throw notUnderstood(`the pattern ${JSON.stringify(pattern.slice(0, 80))} needs look-around or back-references, or is too large.`);
}

function notUnderstood(why: string, cause?: unknown): FettleError {
  const message = `The output schema is not understood: ${why}`;
  return new FettleError({code: 'USAGE', message, hint: 'Give a JSON Schema (2020-12, draft 7) without remote references.', cause});
}
