import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {coerced} from './coerce-fields.ts';

/**
 * Converts arguments for a tool of another program to the types that its JSON Schema declares, if a value has only one reading in them ("5"
 * for a number, JSON text for an object). Valid values, and values the schema does not name, stay unchanged: the program checks them.
 */
export function coerceForeign(schema: JsonObject, received: JsonObject): {readonly input: JsonObject; readonly repairs: readonly string[]} {
  const input = coercedMembers(schema, received, {root: schema, depth: 0});
  const repairs = Object.keys(input).flatMap((name) => {
    const isSame = JSON.stringify(input[name]) === JSON.stringify(received[name]);
    return isSame ? [] : [`${name} read as ${typeName(input[name] ?? null)}`];
  });
  return {input, repairs};
}

const MAX_DEPTH = 8;

interface Within {
  readonly root: JsonObject;
  readonly depth: number;
}

function coercedMembers({properties}: JsonObject, received: JsonObject, within: Within): JsonObject {
  if (!isJsonObject(properties)) return received;
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, isJsonObject(property) && value !== undefined ? coercedValue(property, value, within) : value];
    }),
  );
}

function coercedValue(schema: JsonObject, value: Json, {root, depth}: Within): Json {
  if (depth > MAX_DEPTH) return value;
  const options = typedOptions(schema, root, 0);
  const fitting = options.filter((option) => isOfType(value, option['type']));
  if (options.length > 0 && fitting.length === 0) return onlyReading(options, value, {root, depth});
  const [only] = fitting;
  return fitting.length === 1 && only !== undefined ? coercedInside(only, value, {root, depth: depth + 1}) : value;
}

/** If several types could read it, the intended one is unknown. */
function onlyReading(options: readonly JsonObject[], value: Json, within: Within): Json {
  const readings = options.flatMap((option) => {
    const read = coerced(value, option);
    return read !== value && isOfType(read, option['type']) ? [coercedInside(option, read, {...within, depth: within.depth + 1})] : [];
  });
  const [first] = readings;
  return first !== undefined && new Set(readings.map((reading) => JSON.stringify(reading))).size === 1 ? first : value;
}

function coercedInside(schema: JsonObject, value: Json, within: Within): Json {
  if (isJsonObject(value)) return coercedMembers(schema, value, within);
  const {items} = schema;
  if (!Array.isArray(value) || !isJsonObject(items)) return value;
  return (value as readonly Json[]).map((item) => coercedValue(items, item, within));
}

/** Splits a schema into one schema per type that it allows; returns none if it names no type. */
function typedOptions(schema: JsonObject, root: JsonObject, hops: number): readonly JsonObject[] {
  if (hops > MAX_DEPTH) return [];
  const {$ref, type} = schema;
  if (typeof $ref === 'string') {
    const target = referred($ref, root);
    return target === undefined ? [] : typedOptions(target, root, hops + 1);
  }
  if (type !== undefined) return [type].flat().map((one) => ({...schema, type: one}));
  const alternatives = [schema['anyOf'], schema['oneOf']].find((list) => Array.isArray(list)) as readonly Json[] | undefined;
  return (alternatives ?? []).filter(isJsonObject).flatMap((one) => typedOptions(one, root, hops + 1));
}

/** Resolves `#/$defs/Filter` to its definition. */
function referred(reference: string, root: JsonObject): JsonObject | undefined {
  const [, table, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definitions = table === undefined ? undefined : root[table];
  const target = isJsonObject(definitions) && name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isJsonObject(target) ? target : undefined;
}

function isOfType(value: Json, type: Json | undefined): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === typeName(value);
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
