import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';

/**
 * Returns true if a value fits the types, names, options and bounds of a JSON Schema. An object may only have declared properties.
 * The rest of the schema is checked when the call runs. Bounded in depth and work, for the schema may be foreign.
 */
export function fitsSchema(value: Json, schema: Json): boolean {
  return fits(value, schema, {left: MAX_STEPS});
}

const MAX_STEPS = 10_000;

interface Work {
  left: number;
}

function fits(value: Json, schema: Json | undefined, work: Work): boolean {
  work.left -= 1;
  if (work.left < 0) return false;
  if (!isJsonObject(schema)) return schema !== false;
  const {enum: options, const: only} = schema;
  if (Array.isArray(options) && !options.some((option) => same(option as Json, value))) return false;
  if (only !== undefined && !same(only, value)) return false;
  return hasType(value, schema.type) && fitsBounds(value, schema) && fitsOneOf(value, schema, work) && fitsInside(value, schema, work);
}

function same(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function hasType(value: Json, type: Json | undefined): boolean {
  if (Array.isArray(type)) return type.some((one) => hasType(value, one as Json));
  if (typeof type !== 'string') return true;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return typeof value === type;
}

function fitsBounds(value: Json, {minimum, maximum, minLength, maxLength, minItems, maxItems}: JsonObject): boolean {
  const [size, least, most] =
    typeof value === 'number'
      ? [value, minimum, maximum]
      : typeof value === 'string'
        ? [value.length, minLength, maxLength]
        : [Array.isArray(value) ? value.length : 0, minItems, maxItems];
  const isSized = typeof value === 'number' || typeof value === 'string' || Array.isArray(value);
  return !isSized || ((typeof least !== 'number' || size >= least) && (typeof most !== 'number' || size <= most));
}

function fitsOneOf(value: Json, {anyOf, oneOf}: JsonObject, work: Work): boolean {
  return [anyOf, oneOf].every((list) => !Array.isArray(list) || list.some((one) => fits(value, one as Json, work)));
}

function fitsInside(value: Json, schema: JsonObject, work: Work): boolean {
  if (Array.isArray(value)) return schema.items === undefined || value.every((item) => fits(item as Json, schema.items, work));
  if (!isJsonObject(value)) return true;
  const {properties, required, additionalProperties: others} = schema;
  if (Array.isArray(required) && required.some((name) => typeof name === 'string' && !Object.hasOwn(value, name))) return false;
  if (!isJsonObject(properties)) return others === undefined || Object.values(value).every((one) => fits(one as Json, others, work));
  return Object.entries(value).every(([name, one]) =>
    Object.hasOwn(properties, name) ? fits(one as Json, properties[name], work) : others !== undefined && fits(one as Json, others, work),
  );
}
