import {plain} from '../../base/plain-name.ts';
import {isDeeperThan, isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import {MAX_DEPTH} from './json-reader.ts';

type Properties = Readonly<Record<string, JsonObject>>;

/**
 * Brings values to the types that a schema declares, if a value has only one reading in that type: "true", "5",
 * 5 for a string, JSON text for a list or object, a single item for a list, the largest safe number for a larger
 * one. null is dropped, as if the field were absent. Objects in a list are treated the same way, and their
 * fields may have other names (`aliases`). Other values stay as they are.
 */
export function coerceFields(
  properties: Properties,
  received: JsonObject,
  aliases: Readonly<Record<string, string>> = {},
): {fields: JsonObject; repairs: string[]} {
  const repairs: string[] = [];
  const fields: [string, Json][] = [];
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || value === null) continue;
    const property = properties[name] ?? {};
    const read = coerced(value, property);
    if (read !== value) repairs.push(`${name} read as ${typeof property.type === 'string' ? property.type : 'another type'}`);
    const items = itemProperties(property);
    fields.push([name, items === undefined ? read : withItems(read, items, aliases)]);
  }
  return {fields: Object.fromEntries(fields), repairs};
}

/** Returns the value in the type that a property declares, if it can be read as one; otherwise unchanged. */
export function coerced(value: Json, property: JsonObject): Json {
  const {type} = property;
  return (typeof type === 'string' ? COERCIONS[type]?.(value, property) : undefined) ?? value;
}

const COERCIONS: Readonly<Record<string, (value: Json, property: JsonObject) => Json | undefined>> = {
  boolean: (value) => BOOLEANS.get(typeof value === 'string' ? value.trim().toLowerCase() : value),
  integer: (value) => withinIntegers(toNumber(value) ?? value),
  number: toNumber,
  string: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined),
  array: (value, property) =>
    (typeof value === 'string' && value.trim().startsWith('[') ? toJson(value) : undefined) ?? listOfOne(value, property),
  object: (value) => (typeof value === 'string' && value.trim().startsWith('{') ? toJson(value) : undefined),
};

const BOOLEANS: ReadonlyMap<Json | undefined, boolean> = new Map<Json | undefined, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
]);

/** A model that writes 1e300 means "all", and limits are checked on numbers. */
function withinIntegers(value: Json): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
}

/** Wraps a text in a list if a list of texts is expected, and an object if a list of objects is. */
function listOfOne(value: Json, {items}: JsonObject): Json | undefined {
  if (!isJsonObject(items)) return undefined;
  const fits = (items.type === 'string' && typeof value === 'string') || (items.type === 'object' && isJsonObject(value));
  return fits ? [value] : undefined;
}

function itemProperties({type, items}: JsonObject): JsonObject | undefined {
  return type === 'array' && isJsonObject(items) ? items : undefined;
}

function withItems(value: Json, items: JsonObject, aliases: Readonly<Record<string, string>>): Json {
  if (!Array.isArray(value)) return value;
  const list = value as readonly Json[];
  const {properties} = items;
  if (!isJsonObject(properties)) return list.map((item) => coerced(item, items));
  const published = properties as Properties;
  return list.map((item) => (isJsonObject(item) ? coerceFields(published, renamed(item, published, aliases), aliases).fields : item));
}

/** Returns the fields of an item under their published names; if a field occurs twice, the published name wins. */
function renamed(item: JsonObject, published: Properties, aliases: Readonly<Record<string, string>>): JsonObject {
  const nameForms = new Map(
    [...Object.entries(aliases), ...Object.keys(published).map((name) => [name, name] as const)].map(([other, name]) => [
      plain(other),
      name,
    ]),
  );
  const fields = new Map(Object.entries(item).filter(([name]) => name in published));
  for (const [name, value] of Object.entries(item)) {
    if (name in published) continue;
    const target = nameForms.get(plain(name)) ?? name;
    if (!(target in published)) fields.set(name, value);
    else if (!fields.has(target)) fields.set(target, value);
  }
  return Object.fromEntries(fields);
}

function toJson(text: string): Json | undefined {
  const value = parseJson(text);
  return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
}

function toNumber(value: Json): number | undefined {
  if (typeof value !== 'string' || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
