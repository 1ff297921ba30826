import {isMap, isScalar, parseDocument} from 'yaml';
import {isJsonObject, type Json} from '../../base/json.ts';
import {splitFrontMatter} from '../../tools/operations/meta/load-skill-front-matter.ts';

export interface Field {
  readonly value: Json;
  /** From 1, in the file. */
  readonly line: number;
}

export interface FrontMatter {
  /** By the name of the key in Fettle's notation: `max_turns`, also for `maxTurns` and `max-turns`. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly body: string;
}

interface NoFrontMatter {
  readonly problem: string;
  readonly line: number;
}

/** Reads the front matter of a profile with the line of each key, or returns why it cannot be read. */
export function readFrontMatter(text: string): FrontMatter | NoFrontMatter {
  const parts = splitFrontMatter(text);
  if (parts === undefined) return {problem: 'it does not begin with front matter between lines of ---', line: 1};
  const read = (yaml: string) => parseDocument(yaml, {logLevel: 'error', prettyErrors: false});
  const plain = read(parts.yaml);
  const document = plain.errors.length === 0 ? plain : read(quoted(parts.yaml));
  const [error] = document.errors.length === 0 ? [] : plain.errors;
  if (error !== undefined) return {problem: `its front matter is not YAML: ${error.message}`, line: lineOf(parts.yaml, error.pos[0])};
  const values = plainValue(document);
  if (!isMap(document.contents) || !isJsonObject(values)) return {problem: 'its front matter has no keys, or uses aliases', line: 2};
  const fields = new Map<string, Field>();
  for (const {key} of document.contents.items) {
    const written = isScalar(key) ? String(key.value) : '';
    const line = keyLine(parts.yaml, written);
    const name = ourName(written);
    if (fields.has(name)) return {problem: `${name} appears twice`, line};
    fields.set(name, {value: values[written] ?? null, line});
  }
  return {fields, body: parts.body};
}

/** YAML aliases are refused: they are useless here, and a small text can expand to a huge one. */
function plainValue(document: {toJS(options: {maxAliasCount: number}): unknown}): Json | undefined {
  try {
    return JSON.parse(JSON.stringify(document.toJS({maxAliasCount: 0}) ?? null)) as Json;
  } catch {
    return undefined;
  }
}

/** The line of --- comes before the first one of the YAML. */
function lineOf(yaml: string, offset: number): number {
  return yaml.slice(0, offset).split('\n').length + 1;
}

function keyLine(yaml: string, key: string): number {
  const index = yaml
    .split('\n')
    .findIndex((line) => line.startsWith(`${key}:`) || line.startsWith(`"${key}"`) || line.startsWith(`'${key}'`));
  return Math.max(index, 0) + 2;
}

/** `maxTurns`, `max-turns` → `max_turns`; other words for the same. */
function ourName(key: string): string {
  const name = key
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return SAME[name] ?? name;
}

const SAME: Readonly<Record<string, string>> = {
  permission_mode: 'mode',
  allowed_tools: 'tools',
  denied_tools: 'disallowed_tools',
  max_steps: 'max_turns',
  max_cost_usd: 'max_cost',
};

/** Many authors write a colon into a description without quotes. */
function quoted(yaml: string): string {
  return yaml.replaceAll(
    /^([\w-]+): +([^"'|>[{\n][^\n]*: [^\n]*)$/gm,
    (_, key: string, value: string) => `${key}: ${JSON.stringify(value.trim())}`,
  );
}
