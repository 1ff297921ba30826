import {KEYWORD_FORMS, hasForm, type KeywordForm} from '../../base/json-schema/schema-keywords.ts';
import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {cleanServerText, hasHidden} from '../clean-text.ts';

/**
 * The input schema of a remote tool as models and their providers can take it. One schema that a provider refuses would fail every
 * request of the thread, so what is not valid goes: keywords of the wrong form, references out of the document (nothing is ever fetched) or to
 * nothing, keys that are not keywords, alternatives at the top. So do values and names with characters that cannot be seen: a model could
 * not write them, and they carry hidden orders. The server still checks the arguments against its own schema.
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
  const whole = {type: 'object', properties, ...(required.length > 0 ? {required} : {}), ...Object.fromEntries(rest)};
  return withoutDangling(whole, whole) as JsonObject;
}

/** Beyond these bounds, the model learns of a schema only that it is an object. */
const MAX_CHARS = 20_000;
const MAX_NODES = 2000;
const MAX_DEPTH = 16;
const MAX_TEXT = 600;

const ANYTHING: JsonObject = {type: 'object', properties: {}};
const NOT_AT_THE_TOP: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref', 'if', 'then', 'else'];

interface Cleaning {
  readonly budget: {nodes: number};
  readonly depth: number;
}

function cleaned(schema: JsonObject, {budget, depth}: Cleaning): JsonObject {
  budget.nodes -= 1;
  if (depth > MAX_DEPTH || budget.nodes < 0) return {};
  const deeper = {budget, depth: depth + 1};
  const kept = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    const form = KEYWORD_FORMS.get(key);
    if (value === undefined || form === undefined || DROPPED.has(key)) return [];
    const clean = (BY_KEYWORD[key] ?? BY_FORM[form])(value, deeper);
    // A list of schemas for items is of draft 7; providers want 2020-12.
    const name = key === 'items' && Array.isArray(clean) ? 'prefixItems' : key;
    return clean !== undefined && hasForm(KEYWORD_FORMS.get(name) ?? form, clean) ? [[name, clean]] : [];
  });
  return Object.fromEntries(kept);
}

function subschema(value: Json, cleaning: Cleaning): Json | undefined {
  if (typeof value === 'boolean') return value;
  return isJsonObject(value) ? cleaned(value, cleaning) : undefined;
}

function table(value: JsonObject, entry: (inner: Json) => Json | undefined): JsonObject {
  const kept = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    const clean = inner === undefined || !isName(name) ? undefined : entry(inner);
    return clean === undefined ? [] : [[name, clean]];
  });
  return Object.fromEntries(kept);
}

const MAX_NAME = 128;

function isName(name: Json): name is string {
  return typeof name === 'string' && name.length <= MAX_NAME && !hasHidden(name);
}

/** Providers refuse a whole request for a parameter with another kind of name; the schema `true` allows any value. */
function namedProperties(properties: Json | undefined): JsonObject {
  if (!isJsonObject(properties)) return {};
  const named = Object.entries(properties).filter(([name]) => /^[\w.-]{1,64}$/.test(name));
  return Object.fromEntries(named.map(([name, child]) => [name, isJsonObject(child) ? child : {}]));
}

/** Names of the document, which no longer contains it, and keywords for authors. */
const DROPPED: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$comment',
  'additionalItems',
  'examples',
]);

type Clean = (value: Json, cleaning: Cleaning) => Json | undefined;

const asItIs: Clean = (value) => value;
const schemas: Clean = (value, cleaning) =>
  Array.isArray(value) ? (value as readonly Json[]).map((item) => subschema(item, cleaning) ?? {}) : undefined;
const schemaTable: Clean = (value, cleaning) =>
  isJsonObject(value) ? table(value, (inner) => subschema(inner, cleaning) ?? {}) : undefined;
const names: Clean = (value) => (Array.isArray(value) ? [...new Set((value as readonly Json[]).filter(isName))] : undefined);
const explanation: Clean = (value) => (typeof value === 'string' ? cleanServerText(value, MAX_TEXT) : undefined);

/** A value that a model may be shown: nothing hidden in its texts and names, and as it is, because another one would be another value. */
const visible: Clean = (value, {depth}) => (isVisible(value, depth) ? value : undefined);

function isVisible(value: Json, depth: number): boolean {
  if (typeof value === 'string') return !hasHidden(value.replaceAll(/[\t\n]/g, ''));
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  return Object.entries(value).every(([key, inner]: [string, Json | undefined]) => isName(key) && isVisible(inner ?? null, depth + 1));
}

const BY_FORM: Readonly<Record<KeywordForm, Clean>> = {
  schema: subschema,
  schemas,
  'schema or schemas': (value, cleaning) => (Array.isArray(value) ? schemas(value, cleaning) : subschema(value, cleaning)),
  'table of schemas': schemaTable,
  'table of schemas or names': (value, cleaning) =>
    isJsonObject(value) ? table(value, (inner) => (Array.isArray(inner) ? names(inner, cleaning) : subschema(inner, cleaning))) : undefined,
  'table of names': (value, cleaning) => (isJsonObject(value) ? table(value, (inner) => names(inner, cleaning)) : undefined),
  names,
  number: asItIs,
  'positive number': asItIs,
  count: asItIs,
  boolean: asItIs,
  text: visible,
  list: asItIs,
  'any value': visible,
  type: (value) => (Array.isArray(value) ? [...new Set(value as readonly Json[])] : value),
};

const BY_KEYWORD: Readonly<Record<string, Clean>> = {
  description: explanation,
  title: explanation,
  // If nothing is left of a list, nothing can be said about the allowed values.
  enum: (value, cleaning) => {
    const options = Array.isArray(value) ? (value as readonly Json[]).filter((option) => visible(option, cleaning) !== undefined) : [];
    return options.length > 0 ? options : undefined;
  },
  $ref: (value, cleaning) => (typeof value === 'string' && value.startsWith('#') ? visible(value, cleaning) : undefined),
  pattern: (value, cleaning) => (typeof value === 'string' && isPattern(value) ? visible(value, cleaning) : undefined),
  patternProperties: (value, cleaning) => {
    if (!isJsonObject(value)) return undefined;
    return schemaTable(Object.fromEntries(Object.entries(value).filter(([pattern]) => isPattern(pattern))), cleaning);
  },
};

/** Compiled, and never tried. */
function isPattern(source: string): boolean {
  if (source.length > MAX_TEXT) return false;
  try {
    return new RegExp(source, 'u').unicode;
  } catch {
    return false;
  }
}

/** Removes references to definitions that were dropped. */
function withoutDangling(value: Json, root: JsonObject): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => withoutDangling(item, root));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key, inner]) => !(key === '$ref' && typeof inner === 'string' && !leads(inner, root)));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutDangling(inner ?? null, root)]));
}

function leads(reference: string, root: JsonObject): boolean {
  let at: Json | undefined = root;
  for (const token of reference.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
  }
  return /^#(?:\/|$)/.test(reference) && at !== undefined;
}
