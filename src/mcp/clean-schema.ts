import {isJsonObject, type Json, type JsonObject} from '../base/json.ts';
import {cleanText} from './clean-text.ts';

/**
 * The input schema of a remote tool as models and their providers can take it. One schema that a provider refuses would fail every
 * request of the thread, so what is not valid goes: unknown types, references out of the document (nothing is ever fetched), keys that
 * providers do not take, alternatives at the top. The server still checks the arguments against its own schema.
 */
export function cleanSchema(schema: unknown): JsonObject {
  const budget = {nodes: MAX_NODES};
  const clean = isJsonObject(schema) ? cleaned(schema, {budget, depth: 0}) : undefined;
  if (clean === undefined || budget.nodes < 0 || JSON.stringify(clean).length > MAX_CHARS) return ANYTHING;
  const properties = namedProperties(clean['properties']);
  const required = Array.isArray(clean['required'])
    ? clean['required'].filter((name: Json) => typeof name === 'string' && Object.hasOwn(properties, name))
    : [];
  const rest = Object.entries(clean).filter(([key]) => !['type', 'properties', 'required', ...NOT_AT_THE_TOP].includes(key));
  return {type: 'object', properties, ...(required.length > 0 ? {required} : {}), ...Object.fromEntries(rest)};
}

/** Of a schema beyond these bounds the model learns only that it is an object. */
const MAX_CHARS = 20_000;
const MAX_NODES = 2000;
const MAX_DEPTH = 16;
const MAX_TEXT = 600;

const ANYTHING: JsonObject = {type: 'object', properties: {}};
const NOT_AT_THE_TOP: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref', 'if', 'then', 'else'];
const TYPES: readonly Json[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

interface Cleaning {
  readonly budget: {nodes: number};
  readonly depth: number;
}

function cleaned(schema: JsonObject, {budget, depth}: Cleaning): JsonObject {
  budget.nodes -= 1;
  if (depth > MAX_DEPTH || budget.nodes < 0) return {};
  const deeper = {budget, depth: depth + 1};
  const kept = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    const clean = keyword(key, value, deeper);
    return clean === undefined ? [] : [[key, clean]];
  });
  return Object.fromEntries(kept);
}

function keyword(key: string, value: Json | undefined, cleaning: Cleaning): Json | undefined {
  if (value === undefined || DROPPED.has(key)) return undefined;
  const clean = KEYWORDS.get(key);
  return clean === undefined ? value : clean(value, cleaning);
}

function subschema(value: Json, cleaning: Cleaning): Json | undefined {
  if (typeof value === 'boolean') return value;
  return isJsonObject(value) ? cleaned(value, cleaning) : undefined;
}

function table(value: JsonObject, cleaning: Cleaning): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, child === undefined ? {} : (subschema(child, cleaning) ?? {})]),
  );
}

function isType(value: Json): boolean {
  return TYPES.includes(value) || (Array.isArray(value) && value.length > 0 && value.every((type: Json) => TYPES.includes(type)));
}

/** Providers refuse a whole request for a parameter with another kind of name; what has `true` for a schema is any value. */
function namedProperties(properties: Json | undefined): JsonObject {
  if (!isJsonObject(properties)) return {};
  const named = Object.entries(properties).filter(([name]) => /^[\w.-]{1,64}$/.test(name));
  return Object.fromEntries(named.map(([name, child]) => [name, isJsonObject(child) ? child : {}]));
}

const DROPPED: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$comment',
  '$vocabulary',
  'id',
]);

type Clean = (value: Json, cleaning: Cleaning) => Json | undefined;

const text: Clean = (value) => (typeof value === 'string' ? cleanText(value, MAX_TEXT) : undefined);
const list: Clean = (value) => (Array.isArray(value) ? value : undefined);
const schemas: Clean = (value, cleaning) =>
  Array.isArray(value) ? (value as readonly Json[]).map((item) => subschema(item, cleaning) ?? {}) : undefined;
const schemaTable: Clean = (value, cleaning) => (isJsonObject(value) ? table(value, cleaning) : undefined);

const all = (keys: string, clean: Clean): [string, Clean][] => keys.split(' ').map((key) => [key, clean]);

/** What is kept of the keywords whose values could be wrong, or hold schemas; the others are plain values. */
const KEYWORDS: ReadonlyMap<string, Clean> = new Map([
  ...all('description title', text),
  ...all('enum required', list),
  ...all('items additionalProperties contains propertyNames not if then else unevaluatedItems unevaluatedProperties', subschema),
  ...all('anyOf oneOf allOf prefixItems', schemas),
  ...all('properties patternProperties $defs definitions dependentSchemas', schemaTable),
  ...all('type', (value) => (isType(value) ? value : undefined)),
  ...all('$ref', (value) => (typeof value === 'string' && value.startsWith('#') ? value : undefined)),
]);
