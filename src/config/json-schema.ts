import {isJsonObject, type Json, type JsonObject} from '../base/json.ts';
import {DEFAULTS} from './defaults.ts';
import {CONFIG_SCHEMA} from './schema.ts';

/** The JSON Schema (2020-12) of a configuration file, with the text and the default of each key: for editors and for the reference. */
export function configJsonSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Fettle configuration',
    ...withDefaults(CONFIG_SCHEMA as unknown as JsonObject, DEFAULTS as unknown as JsonObject),
  };
}

function withDefaults(schema: JsonObject, defaults: JsonObject): JsonObject {
  const properties = schema['properties'];
  if (!isJsonObject(properties)) return schema;
  const described = Object.entries(properties).map(([key, child]) => [key, withDefault(child, defaults[key])] as const);
  return {...schema, properties: Object.fromEntries(described)};
}

function withDefault(schema: Json | undefined, value: Json | undefined): Json | undefined {
  if (!isJsonObject(schema) || value === undefined) return schema;
  return isJsonObject(value) && isJsonObject(schema['properties']) ? withDefaults(schema, value) : {...schema, default: value};
}
