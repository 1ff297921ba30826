import {isJsonObject, type Json} from '../json.ts';

/** The form that the value of a keyword must have. */
export type KeywordForm =
  | 'schema'
  | 'schemas'
  | 'schema or schemas'
  | 'table of schemas'
  | 'table of schemas or names'
  | 'table of names'
  | 'names'
  | 'number'
  | 'positive number'
  | 'count'
  | 'boolean'
  | 'text'
  | 'list'
  | 'any value'
  | 'type';

/** The keywords of JSON Schema 2020-12 (core, applicator, validation, meta-data) and those of draft 7 that are still in use. */
export const KEYWORD_FORMS: ReadonlyMap<string, KeywordForm> = new Map([
  ...forms('schema', 'additionalItems additionalProperties contains else if not propertyNames then unevaluatedItems unevaluatedProperties'),
  ...forms('schemas', 'allOf anyOf oneOf prefixItems'),
  ...forms('schema or schemas', 'items'),
  ...forms('table of schemas', '$defs definitions dependentSchemas patternProperties properties'),
  ...forms('table of schemas or names', 'dependencies'),
  ...forms('table of names', 'dependentRequired'),
  ...forms('names', 'required'),
  ...forms('number', 'exclusiveMaximum exclusiveMinimum maximum minimum'),
  ...forms('positive number', 'multipleOf'),
  ...forms('count', 'maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties'),
  ...forms('boolean', 'deprecated readOnly uniqueItems writeOnly'),
  ...forms(
    'text',
    '$anchor $comment $dynamicAnchor $dynamicRef $id $ref $schema contentEncoding contentMediaType description format pattern title',
  ),
  ...forms('list', 'enum examples'),
  ...forms('any value', 'const default'),
  ...forms('type', 'type'),
]);

/** Returns true if a value has the form this keyword requires; schemas inside it are not checked. */
export function hasForm(form: KeywordForm, value: Json): boolean {
  return FORMS[form](value);
}

/** The schemas directly in the value of a keyword, with the keys that lead to them; empty if the keyword has none. */
export function schemasIn(form: KeywordForm, value: Json): readonly (readonly [key: string, schema: Json])[] {
  if (form === 'schema' || (form === 'schema or schemas' && !Array.isArray(value))) return [['', value]];
  if (form === 'schemas' || form === 'schema or schemas') return Object.entries(value as readonly Json[]);
  if (!form.startsWith('table of schemas')) return [];
  return Object.entries(value as Readonly<Record<string, Json>>).filter(([, entry]) => isSchema(entry));
}

export function isSchema(value: Json | undefined): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

const TYPES: ReadonlySet<Json> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const FORMS: Readonly<Record<KeywordForm, (value: Json) => boolean>> = {
  schema: isSchema,
  schemas: (value) => isList(value) && value.length > 0 && value.every(isSchema),
  'schema or schemas': (value) => (isList(value) ? value.every(isSchema) : isSchema(value)),
  'table of schemas': (value) => isTable(value, isSchema),
  'table of schemas or names': (value) => isTable(value, (entry) => isSchema(entry) || isNames(entry)),
  'table of names': (value) => isTable(value, isNames),
  names: isNames,
  number: (value) => typeof value === 'number',
  'positive number': (value) => typeof value === 'number' && value > 0,
  count: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  boolean: (value) => typeof value === 'boolean',
  text: (value) => typeof value === 'string',
  list: isList,
  'any value': () => true,
  type: (value) => TYPES.has(value) || (isList(value) && value.length > 0 && value.every((type) => TYPES.has(type))),
};

function forms(form: KeywordForm, keywords: string): [string, KeywordForm][] {
  return keywords.split(' ').map((keyword) => [keyword, form]);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isNames(value: Json): boolean {
  return isList(value) && value.every((name) => typeof name === 'string');
}

function isTable(value: Json, isEntry: (value: Json) => boolean): boolean {
  return isJsonObject(value) && Object.values(value).every((entry) => entry !== undefined && isEntry(entry));
}
