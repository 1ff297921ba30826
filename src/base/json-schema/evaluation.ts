import {FettleError} from '../errors.ts';
import type {Json, JsonObject} from '../json.ts';
import {escapeInvisible} from '../escape-invisible.ts';
import type {CompiledPattern} from './pattern-table.ts';

/** One evaluation of a value: the schema, and the problems and the work so far. */
export interface SchemaEvaluation {
  readonly root: Json;
  readonly references: ReadonlyMap<string, Json>;
  readonly patterns: ReadonlyMap<string, CompiledPattern>;
  /** The values of a long `enum` in canonical form. */
  readonly options: Map<Json, ReadonlySet<string>>;
  readonly problems: string[];
  /** Units of work that may still be spent. */
  work: number;
}

/** A value that is evaluated, and its path. */
export interface SchemaPlace {
  readonly evaluation: SchemaEvaluation;
  readonly value: Json;
  readonly parent: SchemaPlace | undefined;
  /** Within the parent; undefined for the root. */
  readonly key: string | number | undefined;
  /** The number of schemas being evaluated around this one. */
  readonly depth: number;
  /** True: whether it fits is asked, not why it does not. */
  readonly isQuiet: boolean;
  /** Members of `value` that some schema has evaluated; `unevaluated…` applies to the others. */
  readonly evaluated: Set<string | number>;
}

/** Checks one keyword and returns true if the value satisfies it; failures have been reported. */
export type KeywordCheck = (operand: Json, at: SchemaPlace, schema: JsonObject) => boolean;

const MAX_PROBLEMS = 8;
/** About a second on a slow machine. */
export const MAX_WORK = 4_000_000;

/** Counts work before it is done. Throws TOO_LARGE if it is too much. */
export function chargeCheck(evaluation: SchemaEvaluation, units: number): void {
  evaluation.work -= units;
  if (!(evaluation.work < 0)) return;
  throw new FettleError({code: 'TOO_LARGE', message: 'Checking the value against its schema takes too much work.'});
}

/** Reports why a value does not fit; always false. */
export function misfit(at: SchemaPlace, problem: () => string): false {
  const {problems} = at.evaluation;
  if (!at.isQuiet && problems.length < MAX_PROBLEMS) problems.push(`${pathOf(at)}: ${problem()}`);
  return false;
}

/** A text of a schema or value within a message. */
export function quoted(value: Json): string {
  const text = typeof value === 'string' && value.length > 80 ? `${value.slice(0, 80).toWellFormed()}…` : value;
  const written = typeof text === 'object' && text !== null ? (Array.isArray(text) ? 'a list' : 'an object') : JSON.stringify(text);
  return escapeInvisible(written).text;
}

function pathOf(at: SchemaPlace): string {
  const keys: string[] = [];
  for (let place: SchemaPlace | undefined = at; place !== undefined; place = place.parent) {
    if (place.key !== undefined) keys.push(shownKey(String(place.key)));
  }
  return keys.length === 0 ? '(root)' : keys.toReversed().join('.');
}

function shownKey(key: string): string {
  return /^[\w$-]{1,60}$/.test(key) ? key : quoted(key);
}
