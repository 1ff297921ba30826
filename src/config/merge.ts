import {isJsonObject, type Json, type JsonObject} from '../base/json.ts';
import {originText, keyPathText, type ConfigPath, type Origin, type Source} from './origin.ts';
import type {RuleLists, Settings} from './settings.ts';

export interface Merged {
  readonly settings: Settings;
  /** The rules of all sources, each with the place where it was written. */
  readonly rules: readonly ConfiguredRule[];
  /** Source of each setting that was set, by its key (`limits.max_turns`). A key that is missing here has its default. */
  readonly origins: Readonly<Record<string, Origin>>;
}

interface ConfiguredRule {
  readonly text: string;
  readonly effect: 'allow' | 'ask' | 'deny';
  /** `FILE:LINE`, or the flag. */
  readonly source: string;
}

/** Puts checked sources over the defaults, the last one on top. Rules are taken out: they add up instead. */
export function mergeSources(defaults: Settings, sources: readonly Source[]): Merged {
  const parts = sources.map((source) => ({...source, ...split(source.value)}));
  const merged = parts.reduce<JsonObject>((below, {settings}) => mergeTables(below, settings), defaults as unknown as JsonObject);
  const origins = parts.flatMap(({settings, originOf}) => leaves(settings, []).map((path) => [keyPathText(path), originOf(path)] as const));
  return {
    settings: merged as unknown as Settings, // every source was checked, and the defaults fill optional keys
    rules: parts.flatMap(({permissions, originOf}) => rulesOf(permissions, originOf)),
    origins: Object.fromEntries(origins),
  };
}

function split(value: JsonObject): {settings: JsonObject; permissions: RuleLists} {
  const {permissions = {}, ...settings} = value;
  return {settings, permissions: permissions as RuleLists};
}

/** Built with `fromEntries`, which defines also a key such as `__proto__` as data. */
function mergeTables(below: JsonObject, above: JsonObject): JsonObject {
  const put = Object.entries(above).map(
    ([key, value]) => [key, mergeValues(Object.hasOwn(below, key) ? below[key] : undefined, value)] as const,
  );
  return Object.fromEntries([...Object.entries(below), ...put]);
}

function mergeValues(below: Json | undefined, above: Json | undefined): Json | undefined {
  return isJsonObject(below) && isJsonObject(above) ? mergeTables(below, above) : above;
}

function leaves(value: Json | undefined, path: readonly string[]): ConfigPath[] {
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]));
}

function rulesOf(permissions: RuleLists, originOf: Source['originOf']): ConfiguredRule[] {
  return EFFECTS.flatMap((effect) =>
    (permissions[effect] ?? []).map((text, index) => ({text, effect, source: originText(originOf(['permissions', effect, index]))})),
  );
}

const EFFECTS = ['deny', 'ask', 'allow'] as const;
