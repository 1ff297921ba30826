import * as z from 'zod/mini';
import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {ToolSchema} from '../../protocol/messages.ts';
import type {Tool, Toolset} from '../toolset.ts';
import {plainSchema} from './plain-schema.ts';

/** Returns the schemas of the tools of a toolset, in the order of its table: the same bytes in every request. */
export function toolSchemas(toolset: Pick<Toolset, 'tools'>): readonly ToolSchema[] {
  return toolset.tools.map((tool) => ({name: tool.name, description: tool.description, parameters: shownSchema(tool)}));
}

/** Returns the input schema of a tool as models see it. */
export function shownSchema(tool: Tool): JsonObject {
  const schema = inputSchema(tool);
  const {unlisted = []} = tool;
  if (unlisted.length === 0 || !isJsonObject(schema.properties)) return schema;
  const properties = Object.fromEntries(Object.entries(schema.properties).filter(([name]) => !unlisted.includes(name)));
  return {...schema, properties};
}

/** Returns the JSON Schema of a tool's input, reduced to the parts that help a model to fill it in. Made once per tool. */
export function inputSchema(tool: Tool): JsonObject {
  const source = tool.foreignSchema ?? tool.input;
  const known = SCHEMAS.get(source);
  if (known !== undefined) return known;
  const full = tool.foreignSchema ?? plainSchema(tool.input) ?? (z.toJSONSchema(tool.input, {io: 'input'}) as JsonObject);
  const schema = cleaned(full) as JsonObject;
  SCHEMAS.set(source, schema);
  return schema;
}

/** By the schema itself: copies of a tool share it. */
const SCHEMAS = new WeakMap<object, JsonObject>();

function cleaned(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(cleaned);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => value !== undefined && !isNoise(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, cleaned(value as Json)]));
}

/** True for the dialect, the bounds of safe integers, and `additionalProperties`: models do not use them, but every request pays for them. */
function isNoise(key: string, value: Json | undefined): boolean {
  if ((key === '$schema' && typeof value === 'string') || (key === 'additionalProperties' && value === false)) return true;
  return (key === 'maximum' || key === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}
