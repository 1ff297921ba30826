import * as z from 'zod/mini';
import {FettleError} from '../base/errors.ts';
import {isJsonObject, type JsonObject} from '../base/json.ts';
import {coerceFields} from './coerce-fields.ts';
import {headOf} from './cut-text.ts';
import {readLenientJson} from './lenient-json.ts';
import {plain} from './resolve-tool.ts';
import {inputSchema} from './schema.ts';
import type {Tool} from './toolset.ts';

export interface ParsedArguments {
  readonly input: unknown;
  /** What was mended; nothing a model must know. */
  readonly repairs: readonly string[];
  /** What changed the meaning of the call: for the model. */
  readonly warnings: readonly string[];
}

/**
 * The JSON text of a model → the validated input of a tool. Other spellings of a parameter are understood, declared types are coerced,
 * unknown parameters are dropped with a warning. Throws BAD_ARGS: with the position where the text is no JSON, else naming each field
 * and what is expected there.
 */
export function parseArguments(tool: Tool, text: string): ParsedArguments {
  const {value, repairs} = readLenientJson(text);
  if (!isJsonObject(value)) {
    throw new FettleError({code: 'BAD_ARGS', message: `The arguments of ${tool.name} must be a JSON object.`, hint: parameterHint(tool)});
  }
  if (tool.foreignSchema !== undefined) return {input: value, repairs, warnings: []};
  const named = canonicalNames(tool, value);
  const coerced = coerceFields(propertiesOf(tool), named.fields);
  return {
    input: validateInput(tool, coerced.fields),
    repairs: [...repairs, ...named.repairs, ...coerced.repairs],
    warnings: firstOf(named.warnings),
  };
}

const MAX_WARNINGS = 5;

function firstOf(warnings: readonly string[]): readonly string[] {
  const more = warnings.length - MAX_WARNINGS;
  return more > 0 ? [...warnings.slice(0, MAX_WARNINGS), `${more} more parameters were ignored`] : warnings;
}

/** Checks an input that is no text any more: one that a hook has rewritten. Throws BAD_ARGS naming each wrong field. */
export function validateInput(tool: Tool, input: unknown): unknown {
  const checked = z.safeParse(tool.input, input);
  if (checked.success) return checked.data;
  const given = isJsonObject(input) ? input : {};
  const wrong = new Map(checked.error.issues.map((issue) => [String(issue.path[0] ?? ''), issue.message]));
  const fields = [...wrong.keys()].map((field) => describeMismatch(field, given, propertiesOf(tool)[field]));
  throw new FettleError({
    code: 'BAD_ARGS',
    message: `The arguments of ${tool.name} do not fit: ${fields.join('; ')}.`,
    hint: parameterHint(tool),
  });
}

interface NamedFields {
  readonly fields: JsonObject;
  readonly repairs: readonly string[];
  readonly warnings: readonly string[];
}

/** Fields under their published names. Where a parameter is given twice, its own name wins. */
function canonicalNames(tool: Tool, given: JsonObject): NamedFields {
  const published = Object.keys(propertiesOf(tool));
  const spellings = new Map(
    [...Object.entries(tool.aliases), ...published.map((name) => [name, name] as const)].map(([k, v]) => [plain(k), v]),
  );
  const fields = new Map(Object.entries(given).filter(([name]) => published.includes(name)));
  const repairs: string[] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (published.includes(name)) continue;
    const target = spellings.get(plain(name));
    if (target === undefined) warnings.push(`unknown parameter ${shown(name)} was ignored (known: ${published.join(', ')})`);
    else if (!fields.has(target)) {
      fields.set(target, value);
      repairs.push(`${headOf(name, MAX_SHOWN)} read as ${target}`);
    } else if (JSON.stringify(fields.get(target)) !== JSON.stringify(value)) {
      warnings.push(`${shown(name)} was ignored: "${target}" is given too, with another value`);
    }
  }
  return {fields: Object.fromEntries(fields), repairs, warnings};
}

function propertiesOf(tool: Tool): Readonly<Record<string, JsonObject>> {
  return inputSchema(tool).properties as Readonly<Record<string, JsonObject>>;
}

function describeMismatch(field: string, given: JsonObject, property: JsonObject | undefined): string {
  const expected = property === undefined ? 'something else' : describeType(property);
  const value = given[field];
  return value === undefined ? `${field} is missing (${expected})` : `${field} must be ${expected}, not ${shown(value)}`;
}

function describeType(property: JsonObject): string {
  const options = property.enum;
  if (Array.isArray(options)) return `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`;
  const {type, minimum, maxLength} = property;
  if (type === 'string' && typeof maxLength === 'number') return `string of at most ${maxLength} characters`;
  return `${typeof type === 'string' ? type : 'a value'}${typeof minimum === 'number' ? ` ≥ ${minimum}` : ''}`;
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
