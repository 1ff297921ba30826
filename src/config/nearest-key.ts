import {isNear, wordDistance} from '../base/nearest-word.ts';
import {keyPathText, type ConfigPath} from './origin.ts';
import {CONFIG_SCHEMA} from './schema.ts';
import type {SettingSchema} from './setting-schema.ts';

/** Suggests a replacement for an unknown key: the nearest known one, here or in another table; else the keys that are known here. */
export function keyAdvice(path: ConfigPath): string {
  const parent = path.slice(0, -1);
  const leaf = String(path.at(-1));
  const known = knownKeys(CONFIG_SCHEMA, []);
  const here = known.filter((key) => pattern(key.slice(0, -1)) === pattern(generic(parent)));
  const candidates = [
    ...here.map((key) => ({path: [...parent, lastOf(key)], steps: wordDistance(leaf, lastOf(key))})),
    ...known.filter((key) => !key.includes(ANY)).map((key) => ({path: key, steps: wordDistance(leaf, lastOf(key)) + 1})),
  ];
  const nearest = candidates.sort((a, b) => a.steps - b.steps)[0];
  if (nearest !== undefined && isNear(leaf, nearest.steps)) return `did you mean ${keyPathText(nearest.path)}?`;
  return `known here: ${here.map(lastOf).join(', ')}`;
}

/** Stands for the name of a provider or a tool, and for the place in a list. */
const ANY = '*';

/** Every key that the schema knows, tables included. */
function knownKeys(schema: SettingSchema, prefix: readonly string[]): string[][] {
  const nested = [schema.additionalProperties, schema.items].filter((child) => typeof child === 'object');
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, child]) => [[...prefix, key], ...knownKeys(child, [...prefix, key])]),
    ...nested.flatMap((child) => knownKeys(child, [...prefix, ANY])),
  ];
}

/** A path with the names that people choose taken out. */
function generic(path: ConfigPath): string[] {
  return path.map((part, index) =>
    typeof part === 'number' || (index === 1 && (path[0] === 'providers' || path[0] === 'tools')) ? ANY : part,
  );
}

function pattern(path: readonly string[]): string {
  return path.join('\n');
}

function lastOf(path: readonly string[]): string {
  return path.at(-1) ?? '';
}
