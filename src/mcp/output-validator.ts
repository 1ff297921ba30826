import type {jsonSchemaValidator} from '@modelcontextprotocol/client';
import {AjvJsonSchemaValidator} from '@modelcontextprotocol/client/validators/ajv';
import {isJsonObject, type Json} from '../base/json.ts';

type Schema = Parameters<jsonSchemaValidator['getValidator']>[0];

/**
 * Checks the structured result of a tool against the schema that its server declares. Both come from the same stranger, so what could
 * keep this process busy is left out: regular expressions, and schemas of any size.
 */
export function createOutputValidator(): jsonSchemaValidator {
  const ajv = new AjvJsonSchemaValidator();
  return {
    getValidator<T>(schema: Schema) {
      const text = JSON.stringify(schema);
      if (text.length > MAX_CHARS) return (input: unknown) => ({valid: true, data: input as T, errorMessage: undefined});
      return ajv.getValidator<T>(withoutPatterns(JSON.parse(text) as Json) as Schema);
    },
  };
}

const MAX_CHARS = 100_000;

function withoutPatterns(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(withoutPatterns);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => value !== undefined && !(key === 'pattern' && typeof value === 'string') && key !== 'patternProperties',
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutPatterns(value as Json)]));
}
