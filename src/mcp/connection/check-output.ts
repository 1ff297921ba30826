import type {CallToolResult, Tool} from '@modelcontextprotocol/client';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {compileSchema, type CompiledSchema} from '../../base/json-schema/compile-schema.ts';
import type {Json} from '../../base/json.ts';

/**
 * Compares the structured result of a call with the schema that its server declares. Both come from the same stranger: the work is bounded.
 * Throws UNAVAILABLE if it does not fit, or cannot be compared within the bounds. The call has been carried out by then.
 */
export async function checkToolOutput(tool: Tool, {structuredContent, isError}: CallToolResult): Promise<void> {
  if (tool.outputSchema === undefined || structuredContent === undefined || isError === true) return;
  const problems = await problemsOf(tool, structuredContent as Json);
  if (problems.length > 0) throw unusable(`does not fit the outputSchema of the tool: ${problems.join('; ')}`);
}

async function problemsOf(tool: Tool, value: Json): Promise<readonly string[]> {
  try {
    const compiled = COMPILED.get(tool) ?? (await compileSchema(tool.outputSchema as Json));
    COMPILED.set(tool, compiled);
    return compiled.problems(value);
  } catch (thrown) {
    throw unusable(`cannot be compared with the outputSchema of the tool: ${toFettleError(thrown).message}`);
  }
}

const COMPILED = new WeakMap<Tool, CompiledSchema>();

function unusable(why: string): FettleError {
  return new FettleError({
    code: 'UNAVAILABLE',
    message: `the call was carried out, but its structured result ${why}`,
    hint: 'Report it to the operator of the server; calling the tool again may repeat its effect.',
  });
}
