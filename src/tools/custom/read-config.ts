import * as z from 'zod/mini';
import {FettleError} from '../../base/errors.ts';
import type {Json, JsonObject} from '../../base/json.ts';
import {nearestWord} from '../../base/nearest-word.ts';
import {issueText} from './check-definition.ts';
import type {AnySchema} from './define-custom-tool.ts';

/** A table `[tools.<name>]`: permission settings for its calls, and the tool's own options. */
export interface ToolTable {
  readonly [key: string]: Json | undefined;
}

const OF_FETTLE: readonly string[] = ['permission', 'allowlist', 'denylist'];

/** Returns the tool's own options in a table: keys that are not Fettle's. */
export function ownOptions(table: ToolTable = {}): JsonObject {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !OF_FETTLE.includes(key)));
}

/**
 * Reads the configuration of a tool: the defaults of its schema ⊕ `[tools.<name>]` ⊕ the session's own, field by
 * field. Only explicit values override a default. Throws CONFIG for a key that the schema does not know, and for
 * a value that does not fit.
 */
export function readConfig(name: string, schema: AnySchema | undefined, sources: readonly JsonObject[]): unknown {
  const written = Object.assign({}, ...sources) as JsonObject;
  const known = schema === undefined ? [] : fieldsOf(schema);
  const unknown = known === undefined ? undefined : Object.keys(written).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const nearest = nearestWord(unknown, [...(known ?? []), ...OF_FETTLE]);
    const hint = nearest === undefined ? `Known here: ${[...OF_FETTLE, ...(known ?? [])].join(', ')}.` : `Did you mean ${nearest}?`;
    throw new FettleError({code: 'CONFIG', message: `tools.${name}.${unknown}: unknown key`, hint});
  }
  if (schema === undefined) return {};
  const parsed = z.safeParse(schema, written);
  if (parsed.success) return parsed.data;
  throw new FettleError({code: 'CONFIG', message: `tools.${name}.${issueText(parsed.error)}`});
}

/** Returns the fields of an object schema; undefined: any field is allowed. */
function fieldsOf(schema: AnySchema): readonly string[] | undefined {
  const {def} = schema._zod;
  if (!('shape' in def) || ('catchall' in def && def.catchall !== undefined && !isNever(def.catchall))) return undefined;
  return Object.keys(def.shape as object);
}

function isNever(catchall: unknown): boolean {
  return (catchall as AnySchema)._zod.def.type === 'never';
}
