import {toDotPath} from 'zod/v4/core';
import * as z from 'zod/mini';
import {plain} from '../../base/plain-name.ts';
import {FettleError} from '../../base/errors.ts';
import {isJsonObject, type JsonObject} from '../../base/json.ts';
import {coerceFields} from './coerce-fields.ts';
import {coerceForeign} from './coerce-remote.ts';
import {headOf} from '../output/truncate-bytes.ts';
import {generalNames} from './general-names.ts';
import {readLenientJson} from './lenient-json.ts';
import {inputSchema} from './schema.ts';
import type {Tool} from '../toolset.ts';

export interface ParsedArguments {
  readonly input: unknown;
  /** Repairs that a model does not need to know about. */
  readonly repairs: readonly string[];
  /** Changes to the meaning of the call, for the model. */
  readonly warnings: readonly string[];
}

/**
 * Parses and validates the JSON arguments of a model. Aliases of parameters are understood, declared types are coerced, unknown parameters are
 * dropped with a warning. Throws BAD_ARGS: with the position if the text is not JSON, else naming each field and the expected type.
 */
export function parseArguments(tool: Tool, text: string): ParsedArguments {
  const {value, repairs} = readLenientJson(text);
  if (!isJsonObject(value)) {
    throw new FettleError({code: 'BAD_ARGS', message: `The arguments of ${tool.name} must be a JSON object.`, hint: parameterHint(tool)});
  }
  if (tool.foreignSchema !== undefined) {
    const {properties} = inputSchema(tool);
    const renamed = generalNames(isJsonObject(properties) ? Object.keys(properties) : [], value);
    const foreign = coerceForeign(inputSchema(tool), renamed.fields);
    return {input: foreign.input, repairs: [...repairs, ...renamed.repairs, ...foreign.repairs], warnings: []};
  }
  // A tool of a user has no aliases for its parameters.
  const general =
    Object.keys(tool.aliases).length === 0 ? generalNames(Object.keys(propertiesOf(tool)), value) : {fields: value, repairs: []};
  const named = canonicalNames(tool, general.fields);
  const coerced = coerceFields(propertiesOf(tool), withoutEmptyPlaces(tool, named.fields), tool.aliases);
  return {
    input: validateInput(tool, coerced.fields),
    repairs: [...repairs, ...general.repairs, ...named.repairs, ...coerced.repairs],
    warnings: firstOf(named.warnings),
  };
}

/** Parameters that only narrow where to look: an empty text counts as absent. Required ones are never dropped. */
const PLACES: ReadonlySet<string> = new Set(['path', 'cwd', 'workdir', 'glob', 'include', 'glob_pattern', 'file_pattern', 'name_pattern']);

function withoutEmptyPlaces(tool: Tool, fields: JsonObject): JsonObject {
  const {required} = inputSchema(tool);
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const kept = Object.entries(fields).filter(([name, value]) => value !== '' || !PLACES.has(name) || isRequired(name));
  return Object.fromEntries(kept);
}

const MAX_WARNINGS = 5;

function firstOf(warnings: readonly string[]): readonly string[] {
  const more = warnings.length - MAX_WARNINGS;
  return more > 0 ? [...warnings.slice(0, MAX_WARNINGS), `${more} more parameters were ignored`] : warnings;
}

/** Validates an input that is already parsed, such as one that a hook has rewritten. Throws BAD_ARGS naming each wrong field. */
export function validateInput(tool: Tool, input: unknown): unknown {
  const checked = z.safeParse(tool.input, input);
  if (checked.success) return checked.data;
  const received = isJsonObject(input) ? input : {};
  const wrong = new Map(checked.error.issues.slice(0, MAX_ISSUES).map((issue) => [toDotPath(issue.path), issue.path]));
  const fields = [...wrong].map(([field, path]) => describeMismatch(field, valueAt(received, path), propertyAt(inputSchema(tool), path)));
  throw new FettleError({
    code: 'BAD_ARGS',
    message: `The arguments of ${tool.name} do not fit: ${fields.join('; ')}.`,
    hint: parameterHint(tool),
  });
}

const MAX_ISSUES = 5;

function valueAt(received: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as JsonObject)[String(key)] : undefined),
    received,
  );
}

function propertyAt(schema: JsonObject, path: readonly PropertyKey[]): JsonObject | undefined {
  return path.reduce<JsonObject | undefined>((within, key) => {
    const next = typeof key === 'number' ? within?.items : isJsonObject(within?.properties) ? within.properties[String(key)] : undefined;
    return isJsonObject(next) ? next : undefined;
  }, schema);
}

interface NamedFields {
  readonly fields: JsonObject;
  readonly repairs: readonly string[];
  readonly warnings: readonly string[];
}

/** Returns the fields under their published names. If a parameter occurs twice, the published name wins. */
function canonicalNames(tool: Tool, received: JsonObject): NamedFields {
  const properties = propertiesOf(tool);
  if (Object.keys(received).every((name) => Object.hasOwn(properties, name))) return {fields: received, repairs: [], warnings: []};
  const published = Object.keys(properties);
  const nameForms = new Map(
    [...Object.entries(tool.aliases), ...published.map((name) => [name, name] as const)].map(([k, v]) => [plain(k), v]),
  );
  const fields = new Map(Object.entries(received).filter(([name]) => published.includes(name)));
  const repairs: string[] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(received)) {
    if (published.includes(name)) continue;
    const target = nameForms.get(plain(name));
    if (target === undefined && SPOKEN.has(name)) repairs.push(`${name} only describes the call`);
    else if (target === undefined) warnings.push(`unknown parameter ${shown(name)} was ignored (known: ${published.join(', ')})`);
    else if (!fields.has(target)) {
      fields.set(target, value);
      repairs.push(`${headOf(name, MAX_SHOWN)} read as ${target}`);
    } else if (JSON.stringify(fields.get(target)) !== JSON.stringify(value)) {
      warnings.push(`${shown(name)} was ignored: "${target}" is set too, with another value`);
    }
  }
  return {fields: Object.fromEntries(fields), repairs, warnings};
}

/** Parameters in which a model comments on its call, as other agents request. */
const SPOKEN: ReadonlySet<string> = new Set(['description', 'explanation', 'justification', 'instruction', 'instructions']);

function propertiesOf(tool: Tool): Readonly<Record<string, JsonObject>> {
  return inputSchema(tool).properties as Readonly<Record<string, JsonObject>>;
}

function describeMismatch(field: string, value: unknown, property: JsonObject | undefined): string {
  const expected =
    property === undefined ? 'something else' : describeType(property) + (typeof value === 'string' ? limitOf(property) : '');
  return value === undefined ? `${field} is missing (${expected})` : `${field} must be ${expected}, not ${shown(value)}`;
}

/** Describes the limit of a text in words, for the error about a text that exceeds it. */
function limitOf({type, maxLength, enum: options, description}: JsonObject): string {
  const isText = type === 'string' && maxLength === undefined && options === undefined;
  return isText && typeof description === 'string' ? `, ${description}` : '';
}

function describeType(property: JsonObject): string {
  const options = property.enum;
  if (Array.isArray(options)) return `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`;
  const {type, minimum, maximum, minLength, maxLength, minItems, maxItems} = property;
  if (type === 'string' && isBounded(minLength, maxLength)) return `string of ${span(minLength, maxLength)} characters`;
  if (type === 'array' && isBounded(minItems, maxItems)) return `array of ${span(minItems, maxItems)}`;
  const name = typeof type === 'string' ? type : 'a value';
  if (typeof minimum === 'number' && typeof maximum === 'number') return `${name} from ${minimum} to ${maximum}`;
  const bounds = BOUNDS.flatMap(([key, sign]) => (typeof property[key] === 'number' ? [`${sign} ${property[key]}`] : []));
  return [name, bounds.join(' and ')].join(' ').trim();
}

const BOUNDS = [
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
  ['maximum', '≤'],
  ['exclusiveMaximum', '<'],
] as const;

function isBounded(least: unknown, most: unknown): boolean {
  return typeof least === 'number' || typeof most === 'number';
}

/** Describes the allowed number of characters or items. */
function span(least: unknown, most: unknown): string {
  if (typeof most !== 'number') return `${Number(least)} or more`;
  return typeof least === 'number' ? `${least} to ${most}` : `at most ${most}`;
}

const MAX_SHOWN = 40;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function parameterHint(tool: Tool): string {
  const required = inputSchema(tool).required;
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const parameters = Object.entries(propertiesOf(tool)).map(
    ([name, property]) => `${name}${isRequired(name) ? '' : '?'}: ${describeType(property)}`,
  );
  return `Parameters: ${parameters.join(', ')}.`;
}
