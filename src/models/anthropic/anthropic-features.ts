import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';

interface ClaudeFeatures {
  readonly thinking: JsonObject | undefined;
  readonly betas: readonly string[];
  readonly outputSchema: boolean;
  /** Shortens conversations itself. */
  readonly compaction: boolean;
}

/**
 * Returns the features of a model, by its name: structured output since 4.5, adaptive thinking since 4.6 (asked for with readable summaries,
 * which newer models leave out by default). Since 5.1 thinking is bound to the conversation before it, and the API refuses the request where
 * that changed (after a compaction, with another tool list) unless such blocks may be dropped.
 */
export function claudeFeatures(model: string): ClaudeFeatures {
  const version = claudeVersion(model);
  const bound = version >= 5.1;
  return {
    outputSchema: version >= 4.5,
    compaction: version >= 4.6,
    betas: bound ? ['thinking-binding-controls-2026-08-01'] : [],
    thinking:
      version < 4.6
        ? undefined
        : {type: 'adaptive', display: 'summarized', block_binding: bound ? {prefix_mismatch_behavior: 'drop_block'} : undefined},
  };
}

/** `claude-opus-4-6`, `claude-haiku-4-5-20251001`, `anthropic/claude-sonnet-5.5`; 0 for every other name. */
function claudeVersion(model: string): number {
  const [, major, minor = '0'] = /claude-[a-z]+-(\d{1,2})(?!\d)(?:[-.](\d)(?!\d))?/.exec(model) ?? [];
  return major === undefined ? 0 : Number(`${major}.${minor}`);
}

/**
 * A JSON Schema as structured output takes it: every object closed, limits on sizes and numbers left out (the API refuses them).
 * The caller checks the answer against the whole schema anyway.
 */
export function toClaudeSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(toClaudeSchema);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key]) => !REFUSED.has(key));
  const result = Object.fromEntries(kept.map(([key, value]) => [key, NAMED.has(key) ? mapValues(value) : convert(key, value)]));
  return schema['type'] === 'object' ? {...result, additionalProperties: false} : result;
}

function convert(key: string, value: Json | undefined): Json | undefined {
  return value === undefined || LITERAL.has(key) ? value : toClaudeSchema(value);
}

function mapValues(value: Json | undefined): Json | undefined {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, convert('', schema)]));
}

/** Keys whose values are schemas by name: a property called `minimum` is not a limit. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const LITERAL: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'required']);
const REFUSED: ReadonlySet<string> = new Set(
  (
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength ' +
    'minItems maxItems uniqueItems minProperties maxProperties $schema $id examples'
  ).split(' '),
);
