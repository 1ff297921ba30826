import * as z from 'zod/mini';
import type {Json, JsonObject} from '../../base/json.ts';

/**
 * Returns the JSON Schema of an input made of the ordinary parts: objects, arrays, texts, numbers, yes or no, choices, anything, each with a
 * description where it has one. It has the words and the order of Zod's own conversion, which does far more and costs milliseconds before
 * the first request. Undefined for an input with any other part.
 */
export function plainSchema(schema: z.core.$ZodType): JsonObject | undefined {
  const own = ofType(schema as z.core.$ZodTypes);
  const {description, ...others} = z.globalRegistry.get(schema) ?? {};
  if (own === undefined || Object.keys(others).length > 0) return undefined;
  return description === undefined ? own : {...own, description};
}

function ofType({_zod: {def}}: z.core.$ZodTypes): JsonObject | undefined {
  switch (def.type) {
    case 'object':
      return objectSchema(def);
    case 'array':
      return arraySchema(def);
    case 'optional':
      return plainSchema(def.innerType);
    case 'string':
      return checksOf(def).length === 0 ? {type: 'string'} : undefined;
    case 'number':
      return numberSchema(def);
    case 'boolean':
      return {type: 'boolean'};
    case 'enum':
      return enumSchema(def);
    case 'unknown':
      return {};
    default:
      return undefined;
  }
}

function objectSchema({shape, catchall, checks}: z.core.$ZodObjectDef): JsonObject | undefined {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(shape)) {
    const schema = plainSchema(field);
    if (schema === undefined) return undefined;
    properties[name] = schema;
    if (field._zod.optin === undefined) required.push(name);
  }
  const others = catchall === undefined ? undefined : plainSchema(catchall);
  if ((catchall !== undefined && others === undefined) || checksOf({checks}).length > 0) return undefined;
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : {required}),
    ...(others === undefined ? {} : {additionalProperties: others}),
  };
}

function arraySchema(def: z.core.$ZodArrayDef): JsonObject | undefined {
  const items = plainSchema(def.element);
  return items === undefined || checksOf(def).length > 0 ? undefined : {type: 'array', items};
}

function numberSchema(def: z.core.$ZodNumberDef): JsonObject | undefined {
  // A schema of whole numbers is its own first check.
  const checks = 'check' in def ? [def as z.core.$ZodCheckDef, ...checksOf(def)] : checksOf(def);
  const bounds = checks.filter((check) => !isWhole(check));
  const [minimum, ...lower] = bounds.flatMap((check) => boundOf('greater_than', check));
  const [maximum, ...upper] = bounds.flatMap((check) => boundOf('less_than', check));
  const known = [minimum, maximum].filter((bound) => bound !== undefined);
  if (lower.length > 0 || upper.length > 0 || known.length < bounds.length) return undefined;
  const type = bounds.length < checks.length ? 'integer' : 'number';
  return {type, ...(minimum === undefined ? {} : {minimum}), ...(maximum === undefined ? {} : {maximum})};
}

function isWhole(check: z.core.$ZodCheckDef): boolean {
  return check.check === 'number_format' && 'format' in check && check.format === 'safeint';
}

/** Returns the bound of a check of this kind, if the value itself is allowed. */
function boundOf(kind: 'greater_than' | 'less_than', check: z.core.$ZodCheckDef): number[] {
  if (check.check !== kind || !('inclusive' in check && 'value' in check)) return [];
  return check.inclusive === true && typeof check.value === 'number' ? [check.value] : [];
}

function enumSchema({entries}: z.core.$ZodEnumDef): JsonObject | undefined {
  const values = Object.values(entries).filter((value) => typeof value === 'string');
  return values.length === 0 || values.length < Object.keys(entries).length ? undefined : {type: 'string', enum: values};
}

/** Returns the checks of a schema that are not only its description. */
function checksOf({checks = []}: {readonly checks?: readonly z.core.$ZodCheck[] | undefined}): readonly z.core.$ZodCheckDef[] {
  return checks.map(({_zod}) => _zod.def).filter(({check}) => check !== 'describe');
}
