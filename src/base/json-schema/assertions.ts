import {isJsonObject, type Json, type JsonObject} from '../json.ts';
import {canonicalJson, isEqualJson} from './canonical-json.ts';
import {misfit, quoted, chargeCheck, type KeywordCheck, type SchemaEvaluation, type SchemaPlace} from './evaluation.ts';

/** Keywords that look at a value itself, not at its members by other schemas (JSON Schema 2020-12 validation › 6). */
export const ASSERTIONS: Readonly<Record<string, KeywordCheck>> = {
  type: (operand, at) => {
    const types = Array.isArray(operand) ? (operand as readonly Json[]) : [operand];
    return (
      types.some((type) => isOfType(at.value, type)) ||
      misfit(at, () => `must be ${types.map(String).join(' or ')}, not ${quoted(at.value)}`)
    );
  },
  const: (operand, at) => isEqualJson(operand, at.value, at.evaluation) || misfit(at, () => `must be ${quoted(operand)}`),
  enum: (operand, at) =>
    isOption(operand as readonly Json[], at.value, at.evaluation) || misfit(at, () => `must be ${optionsText(operand)}`),
  minimum: onNumber((value, limit) => value >= limit, 'at least'),
  maximum: onNumber((value, limit) => value <= limit, 'at most'),
  exclusiveMinimum: onNumber((value, limit) => value > limit, 'more than'),
  exclusiveMaximum: onNumber((value, limit) => value < limit, 'less than'),
  multipleOf: onNumber(isMultiple, 'a multiple of'),
  minLength: onLength((length, limit) => length >= limit, 'at least'),
  maxLength: onLength((length, limit) => length <= limit, 'at most'),
  pattern: (operand, at) => {
    if (typeof at.value !== 'string') return true;
    return matches(at.evaluation, operand as string, at.value) || misfit(at, () => `must match the pattern ${quoted(operand)}`);
  },
  minItems: onCount(itemsOf, (count, limit) => count >= limit, 'at least # items'),
  maxItems: onCount(itemsOf, (count, limit) => count <= limit, 'at most # items'),
  minProperties: onCount(propertiesOf, (count, limit) => count >= limit, 'at least # properties'),
  maxProperties: onCount(propertiesOf, (count, limit) => count <= limit, 'at most # properties'),
  uniqueItems: (operand, at) => {
    if (operand !== true || !Array.isArray(at.value)) return true;
    const distinct = new Set((at.value as readonly Json[]).map((item) => canonicalJson(item, at.evaluation)));
    return distinct.size === at.value.length || misfit(at, () => 'must not hold the same item twice');
  },
  required: (operand, at) => {
    const {value} = at;
    return !isJsonObject(value) || hasAll(value, operand as readonly string[], at);
  },
  dependentRequired: (operand, at) => {
    const {value} = at;
    if (!isJsonObject(value)) return true;
    const wanted = Object.entries(operand as JsonObject).filter(([name]) => Object.hasOwn(value, name));
    return wanted.every(([, names]) => hasAll(value, names as readonly string[], at));
  },
};

export function hasAll(value: JsonObject, names: readonly string[], at: SchemaPlace): boolean {
  chargeCheck(at.evaluation, names.length);
  const missing = names.find((name) => !Object.hasOwn(value, name));
  return missing === undefined || misfit(at, () => `${quoted(missing)} is missing`);
}

/** A pattern that is not checked matches everything. */
export function matches(evaluation: SchemaEvaluation, source: string, text: string): boolean {
  const pattern = evaluation.patterns.get(source);
  if (pattern === undefined) return true;
  chargeCheck(evaluation, 1 + Math.ceil((text.length * pattern.size) / 8));
  return pattern.test(text);
}

function isOfType(value: Json, type: Json): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return type === 'object' ? isJsonObject(value) : typeof value === type;
}

/** Longer lists are looked up. */
const FEW = 8;

function isOption(options: readonly Json[], value: Json, evaluation: SchemaEvaluation): boolean {
  if (options.length <= FEW) {
    chargeCheck(evaluation, options.length);
    return options.some((option) => isEqualJson(option, value, evaluation));
  }
  const known = evaluation.options.get(options) ?? new Set(options.map((option) => canonicalJson(option, evaluation)));
  evaluation.options.set(options, known);
  return known.has(canonicalJson(value, evaluation));
}

function optionsText(operand: Json): string {
  const options = operand as readonly Json[];
  const more = options.length > FEW ? ' …' : '';
  return `one of ${options.slice(0, FEW).map(quoted).join(', ')}${more}`;
}

function onNumber(holds: (value: number, limit: number) => boolean, word: string): KeywordCheck {
  return (operand, at) =>
    typeof at.value !== 'number' || holds(at.value, Number(operand)) || misfit(at, () => `must be ${word} ${quoted(operand)}`);
}

function isMultiple(value: number, of: number): boolean {
  if (value % of === 0) return true;
  const quotient = value / of;
  // Decimal fractions have no exact form: 0.3 is a multiple of 0.1.
  return Number.isFinite(quotient) && Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient)) && of < 1;
}

function onLength(holds: (length: number, limit: number) => boolean, word: string): KeywordCheck {
  return (operand, at) => {
    if (typeof at.value !== 'string') return true;
    chargeCheck(at.evaluation, at.value.length >> 4);
    return holds(codePoints(at.value), Number(operand)) || misfit(at, () => `must have ${word} ${quoted(operand)} characters`);
  };
}

function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) pairs += 1;
  }
  return text.length - pairs;
}

function onCount(
  countOf: (at: SchemaPlace) => number | undefined,
  holds: (count: number, limit: number) => boolean,
  word: string,
): KeywordCheck {
  return (operand, at) => {
    const count = countOf(at);
    return count === undefined || holds(count, Number(operand)) || misfit(at, () => `must have ${word.replace('#', quoted(operand))}`);
  };
}

function itemsOf({value}: SchemaPlace): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function propertiesOf({value, evaluation}: SchemaPlace): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const {length} = Object.keys(value);
  chargeCheck(evaluation, length);
  return length;
}
