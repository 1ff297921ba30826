import {isJsonObject, type Json} from '../json.ts';
import {chargeCheck, type SchemaEvaluation} from './evaluation.ts';

/** JSON text that is the same for values that are equal (JSON Schema core › instance equality): the keys of objects are sorted. */
export function canonicalJson(value: Json, evaluation: SchemaEvaluation): string {
  chargeCheck(evaluation, 1);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map((item) => canonicalJson(item, evaluation)).join(',')}]`;
  if (isJsonObject(value)) {
    const keys = Object.keys(value).toSorted();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null, evaluation)}`).join(',')}}`;
  }
  if (typeof value === 'string') chargeCheck(evaluation, value.length >> 4);
  // -0 equals 0.
  return value === 0 ? '0' : JSON.stringify(value);
}

export function isEqualJson(a: Json, b: Json, evaluation: SchemaEvaluation): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  return canonicalJson(a, evaluation) === canonicalJson(b, evaluation);
}
