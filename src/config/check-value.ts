import {isJsonObject, type Json} from '../base/json.ts';
import {keyPathText, type ConfigPath} from './origin.ts';
import type {SettingSchema} from './setting-schema.ts';
import {hideInUrl} from './secret-parts.ts';

/** One violation: an unknown key, or a value and its expected form. */
export interface Finding {
  readonly path: ConfigPath;
  /** undefined: the key is not known. */
  readonly must: string | undefined;
  /** undefined: the key is missing. null: the key itself is wrong. */
  readonly value: Json | undefined;
}

/** Compares a value with its schema; every finding, in the order of the value. */
export function checkValue(schema: SettingSchema, value: Json | undefined, path: ConfigPath = []): Finding[] {
  if (!fits(schema, value)) return [{path, must: requirement(schema, value), value}];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => checkItem(schema, item, [...path, index]));
  if (!isJsonObject(value)) return [];
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
  return [
    ...missing.map((key) => ({path: [...path, key], must: requirement(schema.properties?.[key] ?? schema), value: undefined})),
    ...Object.entries(value).flatMap(([key, child]) => checkKey(schema, [...path, key], child)),
  ];
}

/** Describes the expected form of a value in words. */
function requirement(schema: SettingSchema, value?: Json): string {
  if (schema.enum !== undefined) return `must be one of ${schema.enum.join(', ')}`;
  if (schema.patternErrorMessage !== undefined) return schema.patternErrorMessage;
  if (schema.type === 'integer') return `must be a whole number of at least ${schema.minimum}${upperBound(schema, value)}`;
  if (schema.type === 'boolean') return 'must be true or false';
  if (schema.type === 'string') return 'must be text';
  if (schema.type === 'number') return `must be a number ${lowerBound(schema)}${upperBound(schema, value)}`;
  return schema.type === 'array' ? 'must be a list' : 'must be a table';
}

function lowerBound({minimum, exclusiveMinimum}: SettingSchema): string {
  return minimum === undefined ? `above ${exclusiveMinimum}` : `of at least ${minimum}`;
}

/** An integer without a bound of its own must be a safe integer, which the message mentions only if that is exceeded. */
function upperBound({type, maximum}: SettingSchema, value: Json | undefined): string {
  if (maximum !== undefined) return ` and at most ${maximum}`;
  const isTooLarge = type === 'integer' && typeof value === 'number' && value > Number.MAX_SAFE_INTEGER;
  return isTooLarge ? ` and at most ${Number.MAX_SAFE_INTEGER}` : '';
}

function fits(schema: SettingSchema, value: Json | undefined): boolean {
  if (schema.type === 'string') return typeof value === 'string' && fitsText(schema, value);
  if (schema.type === 'array') return Array.isArray(value);
  if (schema.type === 'object') return isJsonObject(value) && !(value instanceof Date); // TOML has dates: objects to JavaScript
  if (schema.type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'number' && fitsNumber(schema, value);
}

function fitsText({enum: words, pattern = ''}: SettingSchema, value: string): boolean {
  return words === undefined ? new RegExp(pattern).test(value) : words.includes(value);
}

function fitsNumber(schema: SettingSchema, value: number): boolean {
  const {type, minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity} = schema;
  const kind = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  return kind && value >= minimum && value > exclusiveMinimum && value <= maximum;
}

function checkItem(schema: SettingSchema, item: Json, path: ConfigPath): Finding[] {
  return schema.items === undefined ? [] : checkValue(schema.items, item, path);
}

function checkKey(schema: SettingSchema, path: ConfigPath, value: Json | undefined): Finding[] {
  const key = String(path.at(-1));
  const named = schema.properties;
  if (named !== undefined && Object.hasOwn(named, key)) return checkKnown(named[key], path, value);
  if (schema.additionalProperties === true) return [];
  if (schema.propertyNames === undefined) return [{path, must: undefined, value}];
  return fits(schema.propertyNames, key)
    ? checkKnown(schema.additionalProperties || undefined, path, value)
    : [{path, must: requirement(schema.propertyNames), value: null}];
}

function checkKnown(schema: SettingSchema | undefined, path: ConfigPath, value: Json | undefined): Finding[] {
  return schema === undefined ? [] : checkValue(schema, value, path);
}

/** Describes a violation of a schema in words: the key, what it must be, what it is. */
export function findingText({path, must, value}: Finding): string {
  if (value === undefined) return `${keyPathText(path)} is missing: ${must}`;
  const shown = isPrivate(path) ? undefined : show(typeof value === 'string' ? hideInUrl(value) : value);
  return shown === undefined ? `${keyPathText(path)} ${must}` : `${keyPathText(path)} ${must}, not ${shown}`;
}

/** Returns true for settings in which people put a key by mistake: its text must not reach a log. */
function isPrivate(path: ConfigPath): boolean {
  return (
    path.includes('api_key_env') ||
    path.includes('client_secret_env') ||
    path.includes('headers') ||
    path.includes('env') ||
    path.includes('args')
  );
}

function show(value: Json): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
