import {isDeeperThan, parseJson, type Json, type JsonObject} from '../base/json.ts';
import {MAX_DEPTH} from './json-reader.ts';

/**
 * Brings values to the types that a schema declares, where a value has only one reading in that type: "true", "5", 5 for a string,
 * JSON text for a list or object. null is dropped, as if the field were not given. What has no reading stays as it is.
 */
export function coerceFields(properties: Readonly<Record<string, JsonObject>>, given: JsonObject): {fields: JsonObject; repairs: string[]} {
  const repairs: string[] = [];
  const fields: [string, Json][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const type = properties[name]?.type;
    const coerced = typeof type === 'string' ? COERCIONS[type]?.(value) : undefined;
    if (typeof type === 'string' && coerced !== undefined && coerced !== value) repairs.push(`${name} read as ${type}`);
    fields.push([name, coerced ?? value]);
  }
  return {fields: Object.fromEntries(fields), repairs};
}

const COERCIONS: Readonly<Record<string, (value: Json) => Json | undefined>> = {
  boolean: (value) => (typeof value === 'string' ? BOOLEANS.get(value.trim().toLowerCase()) : undefined),
  integer: toNumber,
  number: toNumber,
  string: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined),
  array: (value) => (typeof value === 'string' && value.trim().startsWith('[') ? toJson(value) : undefined),
  object: (value) => (typeof value === 'string' && value.trim().startsWith('{') ? toJson(value) : undefined),
};

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function toJson(text: string): Json | undefined {
  const value = parseJson(text);
  return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
}

function toNumber(value: Json): number | undefined {
  if (typeof value !== 'string' || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
