import {isJsonObject, type Json, type JsonObject} from '../base/json.ts';

// Fields of foreign JSON: a field that is missing or has another type reads as empty.

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
