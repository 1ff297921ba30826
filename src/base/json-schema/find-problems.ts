import {FettleError} from '../errors.ts';
import {isDeeperThan, isJsonObject, type Json, type JsonObject} from '../json.ts';
import {ASSERTIONS, hasAll, matches} from './assertions.ts';
import {misfit, MAX_WORK, chargeCheck, type KeywordCheck, type SchemaEvaluation, type SchemaPlace} from './evaluation.ts';
import type {CompiledPattern} from './pattern-table.ts';

export interface ReadSchema {
  readonly schema: Json;
  readonly references: ReadonlyMap<string, Json>;
  readonly patterns: ReadonlyMap<string, CompiledPattern>;
}

/**
 * Lists the places where a value does not match a schema, with the reasons. Throws TOO_LARGE if the check is too
 * much work or schemas refer to each other without end.
 */
export function findProblems(value: Json, {schema, references, patterns}: ReadSchema): readonly string[] {
  if (isDeeperThan(value, MAX_DEPTH)) throw tooDeep();
  const evaluation: SchemaEvaluation = {root: schema, references, patterns, options: new Map(), problems: [], work: MAX_WORK};
  const at: SchemaPlace = {evaluation, value, parent: undefined, key: undefined, depth: 0, isQuiet: false, evaluated: new Set()};
  const fits = evaluate(schema, at);
  return fits || evaluation.problems.length > 0 ? evaluation.problems : ['(root): it does not fit'];
}

const MAX_DEPTH = 300;

function evaluate(schema: Json, at: SchemaPlace): boolean {
  chargeCheck(at.evaluation, 1);
  if (at.depth > MAX_DEPTH) throw tooDeep();
  if (!isJsonObject(schema)) return schema !== false || misfit(at, () => 'must not be there');
  const fits = meetsAll(schema, at);
  if (!fits && at.isQuiet) return false;
  const unmet = LAST.filter(([keyword, check]) => {
    const operand = schema[keyword];
    return operand !== undefined && !check(operand, at, schema);
  });
  return fits && unmet.length === 0;
}

function meetsAll(schema: JsonObject, at: SchemaPlace): boolean {
  let fits = true;
  for (const [keyword, operand] of Object.entries(schema)) {
    const check = CHECKS[keyword];
    if (check === undefined || operand === undefined) continue;
    chargeCheck(at.evaluation, 1);
    fits = check(operand, at, schema) && fits;
    if (!fits && at.isQuiet) return false;
  }
  return fits;
}

function tooDeep(): FettleError {
  return new FettleError({code: 'TOO_LARGE', message: 'The value or its schema is nested too deep to be compared.'});
}

/** The same value by another schema; what that has evaluated counts where it fits. */
function alike(schema: Json, at: SchemaPlace, isQuiet = at.isQuiet): boolean {
  const evaluated = new Set<string | number>();
  const fits = evaluate(schema, {...at, depth: at.depth + 1, isQuiet, evaluated});
  if (!fits) return false;
  chargeCheck(at.evaluation, evaluated.size);
  for (const member of evaluated) at.evaluated.add(member);
  return true;
}

function member(schema: Json, key: string | number, at: SchemaPlace): boolean {
  at.evaluated.add(key);
  return memberFits(schema, key, at);
}

function memberFits(schema: Json, key: string | number, at: SchemaPlace): boolean {
  const {evaluation, depth, isQuiet} = at;
  const value = (at.value as Readonly<Record<string | number, Json>>)[key] ?? null;
  return evaluate(schema, {evaluation, value, parent: at, key, depth: depth + 1, isQuiet, evaluated: new Set()});
}

/** All are tried, so that all problems are found; if nobody asks for the reasons, the first that does not match ends it. */
function all<T>(members: readonly T[], at: SchemaPlace, fits: (member: T) => boolean): boolean {
  let result = true;
  for (const one of members) {
    result = fits(one) && result;
    if (!result && at.isQuiet) return false;
  }
  return result;
}

const onItems =
  (check: (operand: Json, within: {items: readonly Json[]; at: SchemaPlace}, schema: JsonObject) => boolean): KeywordCheck =>
  (operand, at, schema) =>
    !Array.isArray(at.value) || check(operand, {items: at.value as readonly Json[], at}, schema);

const onProperties =
  (check: (operand: Json, within: {names: readonly string[]; at: SchemaPlace}, schema: JsonObject) => boolean): KeywordCheck =>
  (operand, at, schema) => {
    if (!isJsonObject(at.value)) return true;
    const names = Object.keys(at.value);
    chargeCheck(at.evaluation, names.length);
    return check(operand, {names, at}, schema);
  };

function indexes(items: readonly Json[], from: number): number[] {
  return Array.from({length: Math.max(0, items.length - from)}, (_, index) => from + index);
}

const reference: KeywordCheck = (operand, at) => alike(at.evaluation.references.get(operand as string) ?? true, at);

const tuple = onItems((operand, {items, at}) => {
  const schemas = (operand as readonly Json[]).slice(0, items.length);
  return all([...schemas.entries()], at, ([index, schema]) => member(schema, index, at));
});

const CHECKS: Readonly<Record<string, KeywordCheck>> = Object.assign(Object.create(null), ASSERTIONS, {
  $ref: reference,
  $dynamicRef: reference,
  allOf: (operand, at) => all(operand as readonly Json[], at, (schema) => alike(schema, at)),
  anyOf: (operand, at) => {
    // All are tried: each that fits evaluates members.
    const fitting = (operand as readonly Json[]).filter((schema) => alike(schema, at, true));
    return fitting.length > 0 || misfit(at, () => 'must fit one of the schemas of anyOf');
  },
  oneOf: (operand, at) => {
    const fitting = (operand as readonly Json[]).filter((schema) => alike(schema, at, true)).length;
    return fitting === 1 || misfit(at, () => `must fit exactly one of the schemas of oneOf, and fits ${fitting === 0 ? 'none' : fitting}`);
  },
  not: (operand, at) =>
    !evaluate(operand, {...at, depth: at.depth + 1, isQuiet: true, evaluated: new Set()}) ||
    misfit(at, () => 'must not fit the schema of not'),
  if: (operand, at, {then, else: otherwise}) => {
    const next = alike(operand, at, true) ? then : otherwise;
    return next === undefined || alike(next, at);
  },
  properties: onProperties((operand, {names, at}) => {
    const schemas = operand as Readonly<Record<string, Json>>;
    return all(
      names.filter((name) => Object.hasOwn(schemas, name)),
      at,
      (name) => member(schemas[name] ?? true, name, at),
    );
  }),
  patternProperties: onProperties((operand, {names, at}) =>
    all(Object.entries(operand as Readonly<Record<string, Json>>), at, ([pattern, schema]) =>
      all(
        names.filter((name) => at.evaluation.patterns.has(pattern) && matches(at.evaluation, pattern, name)),
        at,
        (name) => member(schema, name, at),
      ),
    ),
  ),
  additionalProperties: onProperties((operand, {names, at}, {properties, patternProperties}) => {
    const listed = isJsonObject(properties) ? properties : {};
    const patterns = Object.keys(isJsonObject(patternProperties) ? patternProperties : {});
    const others = names.filter(
      (name) => !Object.hasOwn(listed, name) && !patterns.some((pattern) => matches(at.evaluation, pattern, name)),
    );
    return all(others, at, (name) => member(operand, name, at));
  }),
  propertyNames: onProperties((operand, {names, at}) =>
    all(names, at, (name) => {
      const {evaluation, depth, isQuiet} = at;
      return evaluate(operand, {evaluation, value: name, parent: at, key: name, depth: depth + 1, isQuiet, evaluated: new Set()});
    }),
  ),
  dependentSchemas: onProperties((operand, {names, at}) => dependent(operand as JsonObject, names, at)),
  dependencies: onProperties((operand, {names, at}) => dependent(operand as JsonObject, names, at)),
  prefixItems: tuple,
  items: onItems((operand, {items, at}, {prefixItems}) => {
    if (Array.isArray(operand)) return tuple(operand as Json, at, {}); // draft 7
    const from = Array.isArray(prefixItems) ? prefixItems.length : 0;
    return all(indexes(items, from), at, (index) => member(operand, index, at));
  }),
  additionalItems: onItems((operand, {items: list, at}, {items}) => {
    if (!Array.isArray(items)) return true;
    return all(indexes(list, items.length), at, (index) => member(operand, index, at));
  }),
  contains: onItems((operand, {items, at}, {minContains = 1, maxContains = Infinity}) => {
    const quiet = {...at, isQuiet: true};
    const found = indexes(items, 0).filter((index) => memberFits(operand, index, quiet));
    for (const index of found) at.evaluated.add(index);
    const isEnough = found.length >= Number(minContains) && found.length <= Number(maxContains);
    return isEnough || misfit(at, () => `holds ${found.length} items that fit the schema of contains`);
  }),
} satisfies Readonly<Record<string, KeywordCheck>>);

/** Keywords that depend on what all the others have evaluated. */
const LAST: readonly (readonly [string, KeywordCheck])[] = [
  [
    'unevaluatedProperties',
    onProperties((operand, {names, at}) =>
      all(
        names.filter((name) => !at.evaluated.has(name)),
        at,
        (name) => member(operand, name, at),
      ),
    ),
  ],
  [
    'unevaluatedItems',
    onItems((operand, {items, at}) =>
      all(
        indexes(items, 0).filter((index) => !at.evaluated.has(index)),
        at,
        (index) => member(operand, index, at),
      ),
    ),
  ],
];

function dependent(operand: JsonObject, names: readonly string[], at: SchemaPlace): boolean {
  const wanted = names.flatMap((name) => {
    const schema = Object.hasOwn(operand, name) ? operand[name] : undefined;
    return schema === undefined ? [] : [schema];
  });
  return all(wanted, at, (schema) =>
    Array.isArray(schema) ? hasAll(at.value as JsonObject, schema as readonly string[], at) : alike(schema, at),
  );
}
