import {FettleError, toFettleError} from '../errors.ts';
import {isDeeperThan, isJsonObject, type Json, type JsonObject} from '../json.ts';
import {findProblems} from './find-problems.ts';
import {compilePatterns} from './pattern-table.ts';
import {KEYWORD_FORMS, hasForm, isSchema, schemasIn} from './schema-keywords.ts';

export interface CompiledSchema {
  /** Patterns that are not checked: features that a linear engine lacks (look-around, back-references), and very large patterns. */
  readonly unchecked: readonly string[];
  /** Lists why a value does not fit, at most eight places (`a.b.0: must be a string`). Throws TOO_LARGE if checking takes too much work. */
  problems(value: Json): readonly string[];
}

/**
 * Compiles a JSON Schema (2020-12; the keywords of draft 7 too) that a stranger may have written. Time and memory are bounded, here and in
 * `problems`: nothing is turned into code, patterns run in linear time, and the work is counted. `format` is an annotation. Throws BAD_ARGS
 * naming the place where it is not a schema, TOO_LARGE if it is beyond the bounds.
 */
export async function compileSchema(schema: Json): Promise<CompiledSchema> {
  const found = readSchema(schema);
  const {patterns, unchecked} = await compilePatterns(found.patterns);
  return {unchecked, problems: (value) => findProblems(value, {schema, references: found.references, patterns})};
}

/** Returns why `compileSchema` would refuse a schema; undefined if it would not. */
export function schemaError(schema: Json): FettleError | undefined {
  try {
    readSchema(schema);
    return undefined;
  } catch (thrown) {
    return toFettleError(thrown);
  }
}

const MAX_SCHEMAS = 20_000;
const MAX_DEPTH = 100;
/** Deepest nesting of any value; a few levels belong to one schema. */
const MAX_NESTING = 300;

interface FoundInSchema {
  /** The value of each `$ref` → the schema it means. */
  readonly references: Map<string, Json>;
  readonly patterns: Set<string>;
}

interface Visited {
  readonly schema: Json;
  readonly place: string;
  readonly depth: number;
}

function readSchema(root: Json): FoundInSchema {
  if (isDeeperThan(root, MAX_NESTING)) throw tooLarge();
  const found: FoundInSchema = {references: new Map(), patterns: new Set()};
  const anchors = new Map<string, Json>();
  const wanted = new Map<string, string>();
  const seen = new Set<Json>();
  let count = 0;
  const visit = (start: Visited): void => {
    const waiting = [start];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const {schema, place} = next;
      if (!isSchema(schema)) throw notSchema(place, 'it must be an object or a boolean');
      if (!isJsonObject(schema) || seen.has(schema)) continue;
      seen.add(schema);
      count += 1;
      if (count > MAX_SCHEMAS || next.depth > MAX_DEPTH) throw tooLarge();
      collect(schema, place, {...found, anchors, wanted});
      for (const inner of innerSchemas(schema, next)) {
        waiting.push(inner);
        if (waiting.length > MAX_SCHEMAS) throw tooLarge();
      }
    }
  };
  visit({schema: root, place: '', depth: 0});
  // A reference may point to a place that no keyword leads to, and its target may contain further references.
  for (const [reference, place] of wanted) {
    const target = resolved(root, reference, anchors);
    if (target === undefined) throw notSchema(place, `$ref ${JSON.stringify(reference.slice(0, 80))} leads nowhere in it`);
    found.references.set(reference, target);
    visit({schema: target, place: reference, depth: 0});
  }
  return found;
}

interface Collecting extends FoundInSchema {
  readonly anchors: Map<string, Json>;
  /** Each reference with the place of its first use. */
  readonly wanted: Map<string, string>;
}

function collect(schema: JsonObject, place: string, {anchors, wanted, patterns}: Collecting): void {
  requireForms(schema, place);
  const {$ref, $dynamicRef, $anchor, $dynamicAnchor, pattern, patternProperties} = schema;
  for (const reference of [$ref, $dynamicRef]) {
    if (typeof reference === 'string' && !wanted.has(reference)) wanted.set(reference, place);
  }
  for (const anchor of [$anchor, $dynamicAnchor]) if (typeof anchor === 'string') anchors.set(anchor, schema);
  if (typeof pattern === 'string') patterns.add(pattern);
  for (const name of Object.keys(isJsonObject(patternProperties) ? patternProperties : {})) patterns.add(name);
}

function requireForms(schema: JsonObject, place: string): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const form = KEYWORD_FORMS.get(keyword);
    if (form !== undefined && (value === undefined || !hasForm(form, value)))
      throw notSchema(`${place}/${keyword}`, `it must be ${article(form)}`);
  }
}

function article(form: string): string {
  return form.startsWith('any') ? form : `${/^[aeiou]/.test(form) ? 'an' : 'a'} ${form}`.replace(/^a (names|schemas)$/, 'a list of $1');
}

function innerSchemas(schema: JsonObject, {place, depth}: Visited): Visited[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const form = KEYWORD_FORMS.get(keyword);
    if (form === undefined || value === undefined) return [];
    return schemasIn(form, value).map(([key, inner]) => ({
      schema: inner,
      place: `${place}/${keyword}${key === '' ? '' : `/${key.slice(0, 60)}`}`,
      depth: depth + 1,
    }));
  });
}

/** A reference within the document (RFC 6901, anchors); undefined: it leads elsewhere, or nowhere. Nothing is ever fetched. */
function resolved(root: Json, reference: string, anchors: ReadonlyMap<string, Json>): Json | undefined {
  const base = baseOf(root);
  const local = reference.startsWith(`${base}#`) ? reference.slice(base.length) : reference;
  if (local === '#' || (base !== '' && reference === base)) return root;
  if (!local.startsWith('#')) return undefined;
  const fragment = decoded(local.slice(1));
  if (!fragment.startsWith('/')) return anchors.get(fragment);
  const target = followed(root, fragment);
  return isSchema(target) ? target : undefined;
}

function baseOf(root: Json): string {
  return isJsonObject(root) && typeof root['$id'] === 'string' ? root['$id'].replace(/#$/, '') : '';
}

function followed(root: Json, pointer: string): Json | undefined {
  let at: Json | undefined = root;
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as JsonObject)[key];
  }
  return at;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function notSchema(place: string, why: string): FettleError {
  const where = place === '' ? 'its root' : JSON.stringify(place.slice(0, 200));
  return new FettleError({code: 'BAD_ARGS', message: `It is not a JSON Schema: at ${where}: ${why}.`});
}

function tooLarge(): FettleError {
  return new FettleError({code: 'TOO_LARGE', message: `The schema holds more than ${MAX_SCHEMAS} schemas, or nests them too deep.`});
}
